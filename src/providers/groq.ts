import { chat } from './chat.ts'

export const groq = chat('groq', [/(^|\.)groq\.com$/], {
  'content-missing': { evidence: 'few-reports', roles: ['system', 'user', 'tool'] },
})
