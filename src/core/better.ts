/**
 * Which of two results for one call is kept.
 */
import { isSynthetic } from './cause.ts'
import type { Part } from './part.ts'
import type { Better } from './strays.ts'
import type { Walk } from './walk.ts'

/** Whether the second is better. Real beats synthetic, whole beats failed; else the first, or as the policy says. */
export function betterIn({ policy: { duplicate }, dialect }: Walk): Better {
  const isMade = (part: Part) => isSynthetic(dialect.content(part).text)
  return (first, second) => {
    if (duplicate !== 'best') return duplicate === 'last'
    if (isMade(first) !== isMade(second)) return isMade(first)
    return first.failed && !second.failed && dialect.content(first).text === ''
  }
}
