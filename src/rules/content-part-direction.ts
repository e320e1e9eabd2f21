import { type Bound, defineRule, type Explanation } from '../core/index.ts'

export interface ContentPartDirection {
  /** For each role the part types of the other direction, with the type they should have. */
  readonly swaps?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Part types that are rejected in every role: those of another API. */
  readonly never?: readonly string[]
}

export const contentPartDirection = defineRule({
  id: 'content-part-direction',
  phase: 'shape',
  about: () => ({ parts: ['texts', 'media', 'opaque'] }),
  repair: 'safe',
  messages: {
    direction:
      'Message {index} has a part of type `{type}`, which {rejects} in a message with the role `{role}`. {Repair} changes the type.',
  },
  check(t, { swaps = {}, never = [], severity, rejected }: Bound<ContentPartDirection>, report) {
    for (const parts of [t.texts, t.media, t.opaque]) {
      for (const part of parts) {
        if (part.index < 0) continue
        const role = t.role(part.message)
        const types = swaps[role]
        if (!types || !Object.hasOwn(types, part.type)) continue
        const fix = [{ do: 'set-part', part, key: 'type', value: types[part.type] } as const]
        // The other direction is known to be rejected for assistant messages only.
        const isKnown = role === 'assistant' || never.includes(part.type)
        const level = isKnown || rejected ? severity : 'warning'
        report('direction', part, { type: part.type, role }, fix, { severity: level })
      }
    }
  },
})

export const explanation: Explanation = {
  summary: 'User messages have input parts, and assistant messages have output parts.',
  why: 'A part type of the other direction is not valid there, for example `input_text` in an assistant message.',
  repair: 'Repair changes the type of the part.',
}
