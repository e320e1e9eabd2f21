import { chat } from './chat.ts'
import { llamaConstraints } from './local-constraints.ts'

/** Ollama. */
export const ollama = chat('ollama', [/(^|\.)ollama\.com$/], llamaConstraints)
