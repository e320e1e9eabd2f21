import { chat } from './chat.ts'

/** Cerebras. */
export const cerebras = chat('cerebras', [/(^|\.)cerebras\.ai$/], {
  // Well-formed requests were rejected in these words too, at random (one report).
  'tool-result-orphan': { evidence: 'single-report' },
  'lone-surrogate': { evidence: 'few-reports' },
  'content-null': { evidence: 'few-reports', calls: true },
  'reasoning-content-forbidden': { evidence: 'few-reports', keys: ['reasoning_content'] },
})
