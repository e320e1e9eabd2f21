import type { Provider } from '../core/index.ts'
import { gemini as dialect } from '../dialects/gemini.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { geminiLaws } from './google-laws.ts'
import { likeChat } from './openai-laws.ts'

export const gemini: Provider = {
  id: 'gemini',
  hosts: [/^generativelanguage\.googleapis\.com$/],
  serves: [
    { dialect, laws: geminiLaws },
    { dialect: openaiChat, laws: likeChat },
  ],
}
