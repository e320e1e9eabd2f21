import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'

const UNKNOWN = 'unknown_tool'

export const toolResultNameMissing = defineRule({
  id: 'tool-result-name-missing',
  phase: 'structure',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    name: 'The result of a call of {tool} in message {index} does not name its tool; {rejects} it. {Repair} writes the name.',
    orphan:
      'A result in message {index} answers no call and does not name its tool; {rejects} it. {Repair} writes the name {tool}.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    if (!t.results.some(({ name }) => name === undefined)) return
    for (const call of t.calls) {
      const part = t.pairs.results[call.order]
      if (!part || part.name !== undefined) continue
      const name = call.name ?? UNKNOWN
      report('name', part, { tool: name }, [{ do: 'write', part, change: { name } }])
    }
    for (const { part } of t.pairs.unmatched)
      if (part.name === undefined && !t.pairs.results.includes(part))
        report('orphan', part, { tool: UNKNOWN }, [{ do: 'write', part, change: { name: UNKNOWN } }])
  },
})

export const explanation: Explanation = {
  summary: 'A result has the name of its tool.',
  why: 'A provider that requires the name rejects an empty one.',
  repair: 'Repair writes the name of the call.',
}
