import { chat } from './chat.ts'
import { F } from './evidence.ts'

export const cerebras = chat('cerebras', [/(^|\.)cerebras\.ai$/], {
  'tool-result-orphan': F(),
  'content-null': F({ calls: true }),
  'reasoning-content-forbidden': F({ keys: ['reasoning_content'] }),
})
