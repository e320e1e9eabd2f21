import { type Bound, defineRule, type Explanation, isObject } from '../core/index.ts'

export interface ReasoningContentForbidden {
  /** Keys of a message in which other services keep reasoning. */
  readonly keys?: readonly string[]
}

export const reasoningContentForbidden = defineRule({
  id: 'reasoning-content-forbidden',
  phase: 'shape',
  repair: 'lossy',
  about: ({ keys }: ReasoningContentForbidden, { reasoningKeys = [] }) => ({ messageKeys: keys ?? reasoningKeys }),
  messages: { forbidden: 'Message {index} has reasoning under {keys}, which {rejects}. {Repair} removes it.' },
  check(t, { keys = t.dialect.reasoningKeys ?? [] }: Bound<ReasoningContentForbidden>, report) {
    for (let i = 0; i < t.history.length; i++) {
      const message = t.history[i]
      if (!isObject(message)) continue
      const found = keys.filter((key) => message[key] !== undefined)
      if (found.length === 0) continue
      const fix = found.map((key) => ({ do: 'set', message: i, key, value: undefined }) as const)
      report('forbidden', [i], { keys: found.join(', ') }, fix)
    }
  },
})

export const explanation: Explanation = {
  summary: 'A message has no reasoning field that the provider does not know.',
  why: 'Providers with a strict schema reject reasoning fields that another provider returned.',
  repair: 'Repair removes the key.',
}
