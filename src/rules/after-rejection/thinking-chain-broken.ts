import { type Bound, defineAfterRejection, type Explanation } from '../../core/index.ts'
import { type DropSetting, releaseBlocks } from '../lib/thinking.ts'

export interface ThinkingChainBroken {
  /** How the request asks the provider to drop what does not fit. Without it the blocks are removed. */
  readonly dropping?: DropSetting
}

export const thinkingChainBroken = defineAfterRejection({
  id: 'thinking-chain-broken',
  phase: 'structure',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'lossy',
  messages: {
    broken:
      'A thinking block is missing before others ({count}); {rejects} that. {Repair} removes those, or asks the provider to drop them.',
  },
  check(t, { dropping }: Bound<ThinkingChainBroken>, report) {
    if (t.reasoning.length === 0) return
    const fix = releaseBlocks(t, t.reasoning, dropping)
    if (fix) report('broken', t.reasoning[0]!, { count: t.reasoning.length }, fix)
  },
})

export const explanation: Explanation = {
  summary: 'No thinking block is missing between other thinking blocks.',
  why: 'A block is checked against the block that preceded it when it was created.',
  repair: 'Repair removes all thinking, or sets `drop_block` in a whole request.',
}
