import { chat } from './chat.ts'
import { llamaLaws } from './local-laws.ts'

export const ollama = chat('ollama', [/(^|\.)ollama\.com$/], llamaLaws)
