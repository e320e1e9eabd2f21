import type { Laws, Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { messagesShape } from './claude.ts'
import { D, I, M, orphans, S, unanswered, unansweredById } from './evidence.ts'
import { DEEPSEEK_R1, DEEPSEEK_THINKING } from './models.ts'
import { HEARD, LATER, likeChat, likeResponses, responsesOrphan, shapeLaws } from './openai-laws.ts'

const chatLaws: Laws = {
  ...likeChat,
  // Fields of a wrong kind are told from its JSON reader, which refuses the body as a whole.
  'content-shape': shapeLaws(M, ['content', 'block', 'untyped', 'text', 'keys', 'answer', 'stray', 'form']),
  'role-unknown': [
    M({ of: ['role', 'calls', 'none'], roles: LATER, required: true }),
    I({ of: ['legacy', 'mute'], roles: LATER, required: true }),
  ],
  'tool-call-name-invalid': [I({ of: ['name', 'empty'] }), M({ of: ['none'] })],
  'tool-result-missing': unanswered(M, { seen: 'slot' }),
  'tool-call-id-empty': [I(), M({ half: true })],
  'tool-result-not-adjacent': M(),
  'tool-result-orphan': orphans(M),
  'tool-result-duplicate': M(),
  'tool-call-id-duplicate': [M({ scope: 'message' }), S({ scope: 'request' })],
  // Documented for turns with calls, reported for all of them.
  'reasoning-content-missing': [
    D({ on: 'calls', fill: '', from: ['reasoning'], models: DEEPSEEK_THINKING }),
    D({ on: 'calls', fill: '', from: ['reasoning'], asked: true, except: DEEPSEEK_THINKING }),
    S({ on: 'all', fill: '', from: ['reasoning'], models: DEEPSEEK_THINKING }),
  ],
  'role-order': M({ merge: ['user', 'assistant'], models: DEEPSEEK_R1 }),
}

const responsesLaws: Laws = {
  ...likeResponses,
  'content-shape': shapeLaws(D, ['keys', 'answer', 'stray']).map((law) => ({ ...law, item: true })),
  'tool-result-missing': unansweredById(D, { seen: 'list' }),
  'tool-result-orphan': responsesOrphan,
  'tool-call-id-empty': [I(), D({ half: true })],
  'reasoning-content-missing': [
    D({ blocks: true, loop: true, types: HEARD, models: DEEPSEEK_THINKING }),
    D({ blocks: true, loop: true, types: HEARD, asked: true, except: DEEPSEEK_THINKING }),
  ],
  // Messages between call and output: accepted by OpenAI, refused here once.
  'tool-result-not-adjacent': S(),
}

const messagesLaws: Laws = {
  'role-unknown': [
    D({ of: ['none'], roles: ['user', 'assistant', 'system'], required: true }),
    I({ of: ['role', 'calls'], roles: ['user', 'assistant', 'system'], required: true }),
  ],
  'reasoning-content-missing': [
    D({ blocks: true, models: DEEPSEEK_THINKING }),
    D({ blocks: true, asked: true, except: DEEPSEEK_THINKING }),
  ],
  ...messagesShape,
  'content-shape': [
    D({ of: ['message', 'content', 'block', 'untyped', 'entry', 'caller'], typed: true }),
    I({ of: ['type', 'text'], typed: true }),
  ],
  'tool-result-missing': M({ seen: 'blocks' }),
  'tool-result-not-adjacent': M(),
  'tool-result-orphan': M(),
  'tool-result-duplicate': M(),
  'tool-call-id-empty': [I(), M({ half: true })],
  'tool-call-id-duplicate': M({ scope: 'request' }),
}

export const deepseek: Provider = {
  id: 'deepseek',
  hosts: [/(^|\.)deepseek\.com$/],
  serves: [
    { dialect: openaiChat, laws: chatLaws },
    { dialect: openaiResponses, laws: responsesLaws },
    { dialect: anthropicMessages, laws: messagesLaws },
  ],
}
