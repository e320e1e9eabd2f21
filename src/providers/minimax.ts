import { chat } from './chat.ts'

/** A result right after its call, in the tool messages that follow it. */
const pairing = { by: 'slot', rejects: ['missing', 'orphan'] } as const

/** MiniMax. */
export const minimax = chat('minimax', [/(^|\.)minimaxi?\.(?:io|com|chat)$/], {
  'tool-result-missing': { evidence: 'few-reports', pairing },
  'tool-result-not-adjacent': { evidence: 'few-reports', pairing },
  'tool-result-orphan': { evidence: 'few-reports', pairing },
  'tool-call-id-duplicate': { evidence: 'few-reports', scope: 'message' },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'few-reports', half: true, pairing }],
})
