/**
 * MiniMax (docs/rejections.md#minimax): a result right after its call, and no two calls with one id. One text for all
 * of it.
 */

import { callIdTwice, chatShape, missingRule, pairFaults } from './chat.ts'
import { inOrder, type JudgedRequest, type Rejection } from './rejection.ts'

const MESSAGE = 'invalid params, tool call result does not follow tool call (2013)'

function pairing({ body }: JudgedRequest): Rejection | undefined {
  if (callIdTwice(body)) return { rule: 'tool-call-id-duplicate', message: MESSAGE }
  for (const fault of pairFaults(body)) {
    if (fault.fault === 'missing') return { rule: missingRule(fault), message: MESSAGE }
    if (fault.fault === 'orphan') return { rule: 'tool-result-orphan', message: MESSAGE }
  }
  return undefined
}

export const minimaxCheck = inOrder(chatShape, pairing)
