import { chat } from './chat.ts'
import { F, S } from './evidence.ts'

export const cerebras = chat('cerebras', [/(^|\.)cerebras\.ai$/], {
  // Well-formed requests were refused in these words too, at random (one report).
  'tool-result-orphan': S(),
  'content-null': F({ calls: true }),
  'reasoning-content-forbidden': F({ keys: ['reasoning_content'] }),
})
