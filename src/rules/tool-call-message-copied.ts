import {
  type Bound,
  defineRule,
  type Explanation,
  equal,
  type NoParams,
  type Part,
  type Transcript,
} from '../core/index.ts'

/** Equal in every field, ids included, and right after the other: a copy, not a second call. */
export const toolCallMessageCopied = defineRule({
  id: 'tool-call-message-copied',
  phase: 'shape',
  about: () => ({ parts: ['calls'] }),
  repair: 'safe',
  messages: {
    copied: 'Message {index} is a copy of the one before it, with the same call {call}. {Repair} removes the copy.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    let before = t.calls[0]
    let first = before
    for (let k = 1; k < t.calls.length; k++) {
      const call = t.calls[k]!
      if (call.message !== before!.message) {
        if (call.id !== undefined && call.id === first!.id && isCopy(t, first!, call))
          report(
            'copied',
            [call.message],
            { call: call.id },
            [{ do: 'replace-message', message: call.message, value: undefined }],
            { harmless: true },
          )
        first = call
      }
      before = call
    }
  },
})

function isCopy({ history, pairs }: Transcript, first: Part, second: Part): boolean {
  if (second.message !== first.message + 1 || !equal(history[first.message], history[second.message])) return false
  // Two results that differ came of two calls.
  const [one, other] = [pairs.results[first.order], pairs.results[second.order]]
  return !one || !other || equal(one.body, other.body)
}

export const explanation: Explanation = {
  summary: 'A message with calls is stored once.',
  why: 'A client that stores the same response twice duplicates its calls, and the second copy has no results.',
  // In the words of a repeated id, or of a missing result.
  repair: 'Repair removes the copy.',
}
