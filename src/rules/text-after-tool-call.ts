import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  type NoParams,
  type Part,
  type Transcript,
  valueAt,
} from '../core/index.ts'

/** Reports disagree, so this is a warning; and the order is not changed where a signature could cover it. */
export const textAfterToolCall = defineRule({
  id: 'text-after-tool-call',
  phase: 'structure',
  about: () => ({ parts: ['calls'] }),
  repair: 'safe',
  messages: {
    after: 'A text follows call {call} in message {index}; {rejects} that. {Repair} moves the text before the calls.',
  },
  check(t, { rejected }: Bound<NoParams>, report) {
    let last = -1
    for (const call of t.calls) {
      if (call.message === last || call.index < 0 || !t.isAssistant(call.message)) continue
      last = call.message
      const parts = t.partsOf(call.message)
      const text = parts.find(({ kind, index, list }) => kind === 'text' && index > call.index && list === call.list)
      if (text) report('after', text, { call: call.id ?? '(no id)' }, textsFirst(t, call, parts, rejected))
    }
  },
})

function textsFirst(t: Transcript, call: Part, parts: readonly Part[], rejected: boolean): Fix {
  if (!rejected && parts.some(({ kind }) => kind === 'reasoning')) return []
  const moved = new Set(
    parts.filter(({ kind, index }) => kind === 'text' && index > call.index).map(({ value }) => value),
  )
  const blocks = valueAt(t.history[call.message], call.list) as readonly unknown[]
  const rest = blocks.filter((block) => !moved.has(block))
  const value = rest.toSpliced(rest.indexOf(call.value), 0, ...moved)
  return [{ do: 'set', message: call.message, key: t.contentKey, value }]
}

export const explanation: Explanation = {
  summary: 'In an assistant message, text comes before tool calls.',
  why: 'Some reports say that text after a call makes the provider report a missing result although it is there.',
  // In the words of a missing result: those lead there first.
  repair: 'Repair moves the text before the first call; next to reasoning only after a rejection.',
}
