/**
 * Xiaomi MiMo (contracts.md, G). The reason of a rejection stands in `param`. Nothing was reported of pairing (§2).
 */

import { chatShape, hasCalls, isEmptyContent, messagesOf } from './chat.ts'
import { isObject, listAt, textAt } from './json.ts'
import { inOrder, type JudgedRequest, type Rejection } from './rejection.ts'

/** content-empty (G): said of the assistant alone. A turn that calls may be empty (§10). */
function assistantEmpty({ body }: JudgedRequest): Rejection | undefined {
  const i = messagesOf(body).findIndex(
    (message) => message.role === 'assistant' && isEmptyContent(message.content) && !hasCalls(message),
  )
  if (i < 0) return undefined
  return { rule: 'content-empty', message: `messages[${i}] assistant content must contain at least one part` }
}

const MEDIA = /image|audio|video|document|file/

/** tool-result-multimodal-unsupported (G): a medium beside the text of a result, or instead of it. */
function resultMedia({ body }: JudgedRequest): Rejection | undefined {
  const media = messagesOf(body).some(
    (message) => message.role === 'tool' && listAt(message, 'content').some((part) => isMedium(part)),
  )
  return media ? { rule: 'tool-result-multimodal-unsupported', message: 'text is not set' } : undefined
}

/** The words are about the text that is not there: a medium without a type has none either. */
function isMedium(part: unknown): boolean {
  if (!isObject(part) || typeof part.text === 'string') return false
  return [textAt(part, 'type'), ...Object.keys(part)].some((word) => MEDIA.test(word))
}

export const mimoCheck = inOrder(chatShape, assistantEmpty, resultMedia)
