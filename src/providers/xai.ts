import type { Provider } from '../core/index.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { D, I, M } from './evidence.ts'
import { LATER, likeChat, likeResponses, shapeLaws } from './openai-laws.ts'

export const xai: Provider = {
  id: 'xai',
  hosts: [/(^|\.)x\.ai$/],
  serves: [
    {
      dialect: openaiChat,
      laws: {
        ...likeChat,
        'content-empty': M({ roles: ['system', 'user', 'assistant', 'tool'], list: true }),
        // A call of the first API is none here, and the message that makes it says nothing.
        'role-unknown': [
          D({ of: ['none'], roles: LATER, required: true }),
          I({ of: ['role', 'legacy'], roles: LATER, required: true }),
          M({ of: ['mute'], roles: LATER, required: true }),
        ],
        'content-shape': shapeLaws(M, ['mute', 'hollow']),
      },
    },
    { dialect: openaiResponses, laws: { ...likeResponses, 'tool-result-missing': I(), 'tool-result-orphan': I() } },
  ],
}
