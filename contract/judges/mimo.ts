/**
 * Xiaomi MiMo (docs/rejections.md#mimo). The reason of a rejection is in `param`. No rejection by pairing is known.
 */

import { chatShape, hasCalls, isEmptyContent, messagesOf } from './chat.ts'
import { isObject, listAt, textAt } from './json.ts'
import { inOrder, type JudgedRequest, type Rejection } from './rejection.ts'

/** Known for assistant messages only; one with calls may be empty (docs/rejections.md#mimo-content-empty). */
function assistantEmpty({ body }: JudgedRequest): Rejection | undefined {
  const i = messagesOf(body).findIndex(
    (message) => message.role === 'assistant' && isEmptyContent(message.content) && !hasCalls(message),
  )
  if (i < 0) return undefined
  return { rule: 'content-empty', message: `messages[${i}] assistant content must contain at least one part` }
}

const MEDIA = /image|audio|video|document|file/

/** docs/rejections.md#mimo-tool-result-multimodal-unsupported: media next to the text of a result, or instead of it. */
function resultMedia({ body }: JudgedRequest): Rejection | undefined {
  const media = messagesOf(body).some(
    (message) => message.role === 'tool' && listAt(message, 'content').some((part) => isMedium(part)),
  )
  return media ? { rule: 'tool-result-multimodal-unsupported', message: 'text is not set' } : undefined
}

/** The text is about missing text: media without a type has none either. */
function isMedium(part: unknown): boolean {
  if (!isObject(part) || typeof part.text === 'string') return false
  return [textAt(part, 'type'), ...Object.keys(part)].some((word) => MEDIA.test(word))
}

export const mimoCheck = inOrder(chatShape, assistantEmpty, resultMedia)
