/**
 * How a dialect is distinguished from the others, by the marks that detection goes by.
 */
import type { NeutralForm } from '../core/index.ts'
import { markOf, markOfPart } from './detect.ts'

export function marksOf(id: string): Pick<NeutralForm, 'ownsMessage' | 'ownsPart'> {
  return {
    ownsMessage: (message) => markOf(message) === id,
    ownsPart: (part) => markOfPart(part) === id,
  }
}
