import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  type NoParams,
  own,
  type Part,
  type Report,
  type Transcript,
  tryJsonText,
} from '../core/index.ts'

type Message = 'misnamed' | 'caller'

export const toolCallRole = defineRule({
  id: 'tool-call-role',
  phase: 'shape',
  about: (_constraint: object, { callLists = [] }) => ({ parts: ['calls', 'results'], messageKeys: callLists }),
  repair: 'lossy',
  messages: {
    misnamed:
      'Message {index} contains calls but has the role `tool`; {rejects} it. {Repair} changes the role to `assistant`.',
    caller:
      'Message {index} has calls, but only the assistant calls tools; {rejects} it. {Repair} moves or removes them.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const part of t.calls)
      if (!t.isAssistant(part.message) && part.index >= 0) report('caller', part, {}, reassign(t, part))
    const callLists = t.dialect.callLists?.filter((key) => t.keys.mayHaveOnMessage([key])) ?? []
    if (callLists.length > 0) for (const part of t.results) checkResult(t, part, callLists, report)
  },
})

/** The call moves into an assistant message, and what came after it in its own message stays after it. */
function reassign(t: Transcript, call: Part): Fix {
  const after = t.partsOf(call.message).filter((part) => part.list === call.list && part.index > call.index)
  const rest = after.filter((part) => part.kind !== 'call' || part.server)
  return [{ do: 'reassign', part: call }, ...rest.map((part) => ({ do: 'split-out', part }) as const)]
}

/** Results that are messages of their own may have a list of calls. */
function checkResult(t: Transcript, part: Part, callLists: readonly string[], report: Report<Message>): void {
  if (part.list.length > 0) return
  for (const key of callLists) {
    const calls = own(part.value, key)
    if (calls === undefined || calls === null || (Array.isArray(calls) && calls.length === 0)) continue
    // A result that answers nothing is the assistant's message under a wrong role.
    if (part.id === undefined && Array.isArray(calls))
      report('misnamed', part, {}, [{ do: 'set-part', part, key: 'role', value: 'assistant' }])
    else report('caller', part, {}, asNote(t, part, key, calls))
  }
}

/** Calls on a real result are kept as a note. */
function asNote(t: Transcript, part: Part, key: string, calls: unknown): Fix {
  const note = t.dialect.textMessage('user', `[Calls that were stored on a tool result]\n${tryJsonText(calls) ?? ''}`)
  return [
    { do: 'set-part', part, key, value: undefined },
    { do: 'insert', after: part.message, value: note },
  ]
}

export const explanation: Explanation = {
  summary: 'A call is in a message of the assistant.',
  why: 'Only the assistant calls tools: the schema of other messages has no place for calls.',
  // No text of its own was seen.
  repair: 'Repair moves a call into a message of the assistant.',
}
