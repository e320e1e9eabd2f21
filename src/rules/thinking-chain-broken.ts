import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { type DropSetting, releaseBlocks } from './lib/thinking.ts'

export const explanation: Explanation = {
  summary: 'No thinking block is missing between other thinking blocks.',
  why: 'A block is checked against the block that preceded it when it was created.',
  repair: 'Repair removes all thinking, or sets `drop_block` in a whole request.',
  rejections: [/thinking`? block that preceded this one when it was created is missing/i],
}

export interface ThinkingChainBroken {
  /** How the request asks the provider to drop what does not fit. Without it the blocks are removed. */
  readonly dropping?: DropSetting
}

/** Cannot be seen in a history: acts only after a rejection. */
export const thinkingChainBroken = defineRule({
  id: 'thinking-chain-broken',
  phase: 'structure',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'lossy',
  messages: {
    broken:
      'A thinking block is missing before others ({count}); {rejects} that. {Repair} removes those, or asks the provider to drop them.',
  },
  check(t, { dropping, rejected }: Bound<ThinkingChainBroken>, report) {
    if (!rejected || t.reasoning.length === 0) return
    const fix = releaseBlocks(t, t.reasoning, dropping)
    if (fix) report('broken', t.reasoning[0]!, { count: t.reasoning.length }, fix)
  },
})
