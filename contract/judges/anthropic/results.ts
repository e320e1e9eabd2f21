/**
 * Anthropic: the content of a `tool_result` is a text or a list of typed blocks
 * (docs/rejections.md#anthropic-tool-result-shape).
 */

import { isAbsent, isObject } from '../json.ts'
import type { Rejection } from '../rejection.ts'
import { reject } from './blocks.ts'

/** Keys that were reported as rejected on a text block inside a result. */
const EXTRA = ['annotations']

/** Blocks of other APIs and of tool servers. A type that is in no API may be newer than this list. */
const FOREIGN = new Set(['image_url', 'input_text', 'output_text', 'input_image', 'input_file', 'resource', 'audio'])
/** Blocks of this API that are parts of a message only (`ToolResultBlockParam` in the API reference). */
const OF_MESSAGES = /^(tool_use|tool_result|thinking|redacted_thinking|server_tool_use|web_search_tool_result)$/

function wrongTag(type: string): string {
  return `Input tag '${type}' found using 'type' does not match any of the expected tags: 'document', 'image', 'search_result', 'text', 'tool_reference'`
}

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
  if (FOREIGN.has(block.type) || OF_MESSAGES.test(block.type))
    return reject('tool-result-shape', `${at}: ${wrongTag(block.type)}`)
  if (block.type === 'image' && !isObject(block.source))
    return reject('tool-result-shape', `${at}.image.source: Field required`)
  if (block.type !== 'text') return undefined
  if (typeof block.text !== 'string') return reject('tool-result-shape', `${at}.text.text: Field required`)
  const extra = EXTRA.find((key) => Object.hasOwn(block, key))
  return extra === undefined
    ? undefined
    : reject('tool-result-shape', `${at}.text.${extra}: Extra inputs are not permitted`)
}
