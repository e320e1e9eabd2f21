import type { Provider } from '../core/index.ts'
import { gemini as dialect } from '../dialects/gemini/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { geminiConstraints } from './google-constraints.ts'
import { likeChat } from './openai-constraints.ts'

/** The Gemini API of Google AI Studio. */
export const gemini: Provider<'gemini'> = {
  id: 'gemini',
  hosts: [/^generativelanguage\.googleapis\.com$/],
  serves: [
    { dialect, constraints: geminiConstraints },
    { dialect: openaiChat, constraints: likeChat },
  ],
}
