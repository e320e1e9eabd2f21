import { chat } from './chat.ts'

/** Groq. */
export const groq = chat('groq', [/(^|\.)groq\.com$/], {
  'content-missing': { evidence: 'few-reports', roles: ['system', 'user', 'tool'] },
})
