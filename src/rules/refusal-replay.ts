import { type Bound, defineRule, type Explanation, own } from '../core/index.ts'

export const explanation: Explanation = {
  summary: 'A refusal is sent back as text if the provider does not support refusal parts.',
  why: 'A server that reads the text of every part fails on a part without text.',
  repair: 'Repair writes a text part with the same words.',
  rejections: [],
}

export interface RefusalReplay {
  /** The native type of an assistant's text part. Default: `text`. */
  readonly as?: string
}

export const refusalReplay = defineRule({
  id: 'refusal-replay',
  phase: 'shape',
  repair: 'safe',
  about: () => ({ keys: ['refusal'] }),
  messages: {
    refusal: 'Message {index} has a refusal part; {rejects} it where it expects text. {Repair} writes it as text.',
  },
  check(t, { as: type = 'text' }: Bound<RefusalReplay>, report) {
    for (const part of [...t.texts, ...t.opaque]) {
      const text = part.type === 'refusal' && part.index >= 0 ? own(part.value, 'refusal') : undefined
      if (typeof text === 'string') report('refusal', part, {}, [{ do: 'replace', part, value: { type, text } }])
    }
  },
})
