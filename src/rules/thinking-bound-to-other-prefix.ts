import { type Bound, defineRule, type Explanation, type Part, type Place } from '../core/index.ts'
import { type DropSetting, releaseBlocks } from './lib/thinking.ts'

export interface ThinkingBoundToOtherPrefix {
  /** How the request asks the provider to drop what does not fit. Without it the blocks are removed. */
  readonly dropping?: DropSetting
  /** The header that has to be sent with that setting. */
  readonly header?: string
}

export const thinkingBoundToOtherPrefix = defineRule({
  id: 'thinking-bound-to-other-prefix',
  phase: 'structure',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'lossy',
  messages: {
    bound:
      'Repairs before the thinking block in message {index} invalidate its signature and those of all later blocks ({count} in total). {Repair} handles these blocks as well.',
    rejected:
      '{provider} rejected thinking because something before it has changed ({count} blocks in total). {Repair} removes the blocks, or asks the provider to drop them.',
  },
  check(t, { dropping, rejected }: Bound<ThinkingBoundToOtherPrefix>, report) {
    const from = t.editedFrom
    const parts = rejected
      ? t.reasoning
      : from
        ? t.reasoning.filter((part) => part.signature != null && isAfter(part, from))
        : []
    if (parts.length === 0) return
    const fix = releaseBlocks(t, parts, dropping)
    if (fix) report(rejected ? 'rejected' : 'bound', parts[0]!, { count: parts.length }, fix)
  },
})

function isAfter(part: Part, [message, index]: Place): boolean {
  return part.message > message || (part.message === message && part.index > index)
}

export const explanation: Explanation = {
  summary: 'Everything before a signed thinking block is the same as when the block was created.',
  why: 'The signature covers everything before the block: any change there makes it and all later blocks invalid.',
  repair: 'Repair removes all signed thinking after the first edit.',
}
