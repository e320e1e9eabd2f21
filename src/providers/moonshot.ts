import { chat } from './chat.ts'
import { D, I, M, unansweredById } from './evidence.ts'
import { KIMI_THINKING } from './models.ts'
import { muteLaws, shapeLaws } from './openai-laws.ts'

export const moonshot = chat('moonshot', [/(^|\.)moonshot\.(ai|cn)$/], {
  'role-unknown': muteLaws,
  'content-shape': shapeLaws(M, ['answer', 'stray', 'mute', 'hollow']),
  'tool-result-missing': unansweredById(M, { seen: 'slot' }),
  'tool-call-id-empty': [I(), M({ of: ['call', 'result', 'twin'], half: true }), I({ of: ['shared'], half: true })],
  'tool-result-not-adjacent': [M({ of: ['misplaced', 'within'] }), I({ of: ['unread'] })],
  'content-empty': M({ roles: ['system', 'user', 'assistant'] }),
  'reasoning-content-missing': [
    D({ on: 'calls', fill: '', models: KIMI_THINKING }),
    D({ on: 'calls', fill: '', asked: true, except: KIMI_THINKING }),
  ],
})
