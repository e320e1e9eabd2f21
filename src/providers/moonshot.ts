import { chat } from './chat.ts'
import { KIMI_THINKING } from './models.ts'

const pairing = { by: 'slot', rejects: ['missing'] } as const

/** Moonshot: Kimi. */
export const moonshot = chat('moonshot', [/(^|\.)moonshot\.(ai|cn)$/], {
  'tool-result-missing': { evidence: 'many-reports', pairing },
  'tool-call-id-empty': [{ evidence: 'inferred' }, { evidence: 'many-reports', half: true, pairing }],
  'tool-result-not-adjacent': { evidence: 'many-reports', pairing },
  'content-empty': { evidence: 'many-reports', roles: ['system', 'user', 'assistant'], absent: true },
  'reasoning-content-missing': [
    { evidence: 'documented', on: 'calls', models: KIMI_THINKING },
    { evidence: 'documented', on: 'calls', optIn: true, except: KIMI_THINKING },
  ],
})
