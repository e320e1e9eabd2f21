/**
 * Anthropic: the content of a `tool_result` is a text or a list of typed blocks (docs/rejections.md#anthropic-tool-result-shape).
 */

import { isAbsent, isObject } from '../json.ts'
import type { Rejection } from '../rejection.ts'
import { reject } from './blocks.ts'

/** Keys that were reported as rejected on a text block inside a result. */
const EXTRA = ['annotations']

export function resultContent(content: unknown, at: string): Rejection | undefined {
  if (isAbsent(content) || typeof content === 'string') return undefined
  if (!Array.isArray(content)) return reject('tool-result-shape', `${at}: Input should be a valid string`)
  for (const [j, block] of content.entries()) {
    const rejection = blockFault(block, `${at}.${j}`)
    if (rejection) return rejection
  }
  return undefined
}

function blockFault(block: unknown, at: string): Rejection | undefined {
  if (!isObject(block) || typeof block.type !== 'string')
    return reject('tool-result-shape', `${at}.type: Field required`)
  if (block.type !== 'text') return undefined
  if (typeof block.text !== 'string') return reject('tool-result-shape', `${at}.text.text: Field required`)
  const extra = EXTRA.find((key) => Object.hasOwn(block, key))
  return extra === undefined
    ? undefined
    : reject('tool-result-shape', `${at}.text.${extra}: Extra inputs are not permitted`)
}
