import { type Bound, defineRule, type Explanation } from '../core/index.ts'

export const explanation: Explanation = {
  summary: 'What the user says is input, what the assistant says is output.',
  why: 'A part type of the other direction is not a value the provider knows in that place.',
  rejections: [/Invalid value: '(?:in|out)put_text'/i],
}

export interface ContentPartDirection {
  /** For each role the part types of the other direction, with the type they should have. */
  readonly swaps?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export const contentPartDirection = defineRule({
  id: 'content-part-direction',
  phase: 'shape',
  repair: 'safe',
  messages: {
    direction:
      'Message {index} has a part of type `{type}`, which {rejects} in a message of the {role}. {Repair} changes the type.',
  },
  check(t, { swaps = {}, severity, rejected }: Bound<ContentPartDirection>, report) {
    for (const parts of [t.texts, t.media, t.opaque]) {
      for (const part of parts) {
        if (part.index < 0) continue
        const role = t.role(part.message)
        const types = swaps[role]
        if (!types || !Object.hasOwn(types, part.type)) continue
        const fix = [{ do: 'set-part', part, key: 'type', value: types[part.type] } as const]
        // Only the assistant's messages were seen rejected for it.
        const level = role === 'assistant' || rejected ? severity : 'warning'
        report('direction', part, { type: part.type, role }, fix, { severity: level })
      }
    }
  },
})
