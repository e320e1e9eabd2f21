import { chat } from './chat.ts'
import { F } from './evidence.ts'

export const groq = chat('groq', [/(^|\.)groq\.com$/], { 'content-missing': F({ roles: ['system', 'user', 'tool'] }) })
