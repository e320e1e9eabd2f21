import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages.ts'
import { gemini } from '../dialects/gemini.ts'
import { messagesLaws } from './claude.ts'
import { M } from './evidence.ts'
import { geminiLaws } from './google-laws.ts'

export const vertex: Provider = {
  id: 'vertex',
  hosts: [/aiplatform\.googleapis\.com$/],
  serves: [
    {
      dialect: gemini,
      laws: {
        ...geminiLaws,
        'tool-result-count-mismatch': [M(), M({ split: true })],
        'content-empty': M({ thought: true }),
        'text-blank': M({ empty: true }),
      },
    },
    { dialect: anthropicMessages, laws: messagesLaws },
  ],
}
