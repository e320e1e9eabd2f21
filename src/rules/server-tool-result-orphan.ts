import { type Bound, defineRule, type Explanation, type NoParams } from '../core/index.ts'

export const serverToolResultOrphan = defineRule({
  id: 'server-tool-result-orphan',
  phase: 'structure',
  about: () => ({ parts: ['serverParts'] }),
  repair: 'lossy',
  messages: {
    result:
      'The result {call} in message {index}, of a tool that {provider} ran, has no call before it; {rejects} it. {Repair} removes it.',
    call: 'The call {call} in message {index}, of a tool that {provider} ran, has no result; {rejects} it. {Repair} removes it.',
  },
  check(t, { rejected }: Bound<NoParams>, report) {
    if (t.serverParts.length === 0) return
    const { orphans, open } = t.serverPairs
    for (const part of orphans) report('result', part, { call: part.id }, [{ do: 'remove', part }])
    // No rejection of an open call was seen, and in the last answer the tool may still run.
    const last = t.lastAssistant()
    for (const part of open.values())
      if (part.message < last)
        report('call', part, { call: part.id }, [{ do: 'remove', part }], { severity: rejected ? 'error' : 'warning' })
  },
})

export const explanation: Explanation = {
  summary: 'A call of a tool that the provider ran and its result are both present.',
  why: 'The provider wrote both and rejects one without the other.',
  repair: 'Repair removes the half that is left.',
}
