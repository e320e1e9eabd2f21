/**
 * Gemini (docs/rejections.md#gemini), the order of turns: calls, their responses, how the list begins and ends.
 */

import type { JudgedRequest, Rejection } from '../rejection.ts'
import { contentsOf, read } from './contents.ts'

/**
 * tool-call-turn-order, tool-result-count-mismatch, tool-result-orphan, first-not-user
 * (docs/rejections.md#gemini-tool-call-turn-order and the rows near it).
 * Neighboring model turns with calls are one (docs/rejections.md#accepted-gemini), and the responses may be in several
 * contents, with other parts, as long as every content up to the last response has one.
 */
export function turnOrder({ body }: JudgedRequest, vertex: boolean): Rejection | undefined {
  const contents = contentsOf(body).map(read)
  // A list that begins with the model is rejected (docs/rejections.md#gemini-first-not-user). The only known text is
  // about calls; other lists get the general one.
  if (contents[0]?.model && contents[0].calls === 0)
    return { rule: 'first-not-user', message: 'Request contains an invalid argument.' }
  let calls = 0
  let responses = 0
  for (const [i, content] of contents.entries()) {
    const before = contents[i - 1]
    const follows = content.model ? before?.model : before?.model || (before?.responses ?? 0) > 0
    if ((content.foreign || content.calls > 0) && content.responses > 0) return MIXED
    if (content.foreign) return CALL_TURN_ORDER
    // After a model turn of text alone it works (google/adk-js#355).
    if (content.calls > 0 && !before) return CALL_TURN_ORDER
    if (!content.model && content.responses > 0) {
      if (!follows || calls === 0) return ORPHAN
      // Accepted on the Gemini API, rejected on Vertex (docs/rejections.md#disputed-neighboring-results).
      if (vertex && !before?.model) return COUNT_MISMATCH
      responses += content.responses
      continue
    }
    if (content.model && follows) {
      calls += content.calls
      continue
    }
    if (calls !== responses) return COUNT_MISMATCH
    calls = content.calls
    responses = 0
  }
  // A list that ends with calls ends with the model: `lastModel` judges it.
  return contents.at(-1)?.model || calls === responses ? undefined : COUNT_MISMATCH
}

const COUNT_MISMATCH: Rejection = {
  rule: 'tool-result-count-mismatch',
  message:
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
}
/** docs/rejections.md#gemini-tool-call-mixed-with-response */
const MIXED: Rejection = {
  rule: 'tool-result-mixed-with-other-parts',
  message:
    'Please ensure that function call turn contains at least one function_call part which can not be mixed with function_response parts.',
}
const CALL_TURN_ORDER: Rejection = {
  rule: 'tool-call-turn-order',
  message:
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
}
const ORPHAN: Rejection = {
  rule: 'tool-result-orphan',
  message: 'Please ensure that function response turn comes immediately after a function call turn',
}

/** docs/rejections.md#gemini-last-assistant-prefill: the newer and the older text. */
export function lastModel({ body, model }: JudgedRequest): Rejection | undefined {
  if (contentsOf(body).at(-1)?.role !== 'model') return undefined
  const older = /gemini-[12]/.test(model ?? '')
  return {
    rule: 'last-assistant-prefill',
    message: older
      ? 'Please ensure that multiturn requests ends with a user role or a function response.'
      : 'Requests ending with a model turn are not supported.',
  }
}
