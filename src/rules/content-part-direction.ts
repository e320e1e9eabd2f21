import { defineRule, type Explanation, silent } from '../core/index.ts'
import { setPartKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'What the user says is input, what the assistant says is output.',
  why: 'A part type of the other direction is not a value the provider knows in that place.',
  refusals: [/Invalid value: '(?:in|out)put_text'/i],
}

const INPUT = { output_text: 'input_text' }
const SWAPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  user: INPUT,
  system: INPUT,
  assistant: { input_text: 'output_text' },
}

/** Law: `swaps` — for each role the part types that are the other side's, with the type they should have (default `input_text` and `output_text`). */
export const contentPartDirection = defineRule({
  id: 'content-part-direction',
  repair: 'safe',
  quiet: (bound) => (bound.law['swaps'] ? undefined : silent(bound)),
  messages: {
    direction: 'A part of type {type} stands in a message of the {role}.',
    reverse: 'A part of type {type} stands in a message of the {role}.',
  },
  checks: {
    message({ role, parts }, bound, walk) {
      const swaps = ((bound.law['swaps'] as typeof SWAPS | undefined) ?? SWAPS)[role]
      if (!swaps) return
      for (const part of parts) {
        if (part.index < 0 || !Object.hasOwn(swaps, part.type)) continue
        const type = swaps[part.type]
        walk.report(bound, role === 'assistant' ? 'direction' : 'reverse', part, { type: part.type, role }, [
          setPartKey(part, 'type', type),
        ])
      }
    },
  },
})
