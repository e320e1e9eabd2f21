import type { Provider } from '../core/index.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { I, M } from './evidence.ts'
import { likeChat, likeResponses, muteLaws, shapeLaws } from './openai-laws.ts'

export const xai: Provider = {
  id: 'xai',
  hosts: [/(^|\.)x\.ai$/],
  serves: [
    {
      dialect: openaiChat,
      laws: {
        ...likeChat,
        'content-empty': M({ roles: ['system', 'user', 'assistant', 'tool'], list: true }),
        'role-unknown': muteLaws,
        'content-shape': shapeLaws(M, ['mute', 'hollow']),
      },
    },
    { dialect: openaiResponses, laws: { ...likeResponses, 'tool-result-missing': I(), 'tool-result-orphan': I() } },
  ],
}
