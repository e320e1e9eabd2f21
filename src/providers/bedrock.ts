import type { Law, Laws, Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages.ts'
import { bedrockConverse } from '../dialects/bedrock-converse.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { messagesLaws, thinkingLaws } from './claude.ts'
import { D, F, I, M, S, unansweredById } from './evidence.ts'
import { CLAUDE, CLAUDE_4_6, NOT_CLAUDE } from './models.ts'
import { responsesLaws } from './openai-laws.ts'

/** Families that want results in a turn of their own: neither Claude nor Nova, which was seen to take text beside them. */
const NEITHER = /^(?!.*(?:claude|nova))/is

const onClaude: Laws = Object.fromEntries(
  Object.entries(thinkingLaws).map(([rule, law]) => [
    rule,
    {
      models: CLAUDE,
      ...(law as Law),
      ...('setting' in (law as Law) ? { setting: ['additionalModelRequestFields', 'thinking'] } : {}),
    },
  ]),
)

const converseLaws: Laws = {
  ...onClaude,
  'tool-result-missing': unansweredById(M),
  // Looked for in the next message, wherever in it.
  'tool-result-not-adjacent': [M({ of: ['misplaced'] }), I({ of: ['within'] })],
  'tool-result-orphan': [M({ of: ['orphan', 'early', 'again', 'counted'] }), I({ of: ['shared', 'twin'] })],
  'tool-result-duplicate': [M({ of: ['duplicate', 'counted'] }), I({ of: ['shared', 'twin'] })],
  // Of no use without its call, and counted as any other result.
  'server-tool-result-orphan': M(),
  'tool-result-mixed-with-other-parts': F({ own: true, beside: ['cachePoint'], models: NEITHER }),
  'tool-call-mixed-with-text': S({ models: NOT_CLAUDE }),
  'tool-result-error-empty': S(),
  // By id alone: a result that names no call is missed only where no other names that one.
  'tool-call-id-empty': [I(), M({ of: ['call', 'result'], half: true }), I({ of: ['shared', 'twin'], half: true })],
  'tool-call-id-too-long': M({ max: 64 }),
  // The wider of two patterns that were reported; new ids fit the narrower too.
  'tool-call-id-format': D({ pattern: /^[a-zA-Z0-9_.:-]+$/ }),
  'tool-call-name-invalid': [
    D({ of: ['name', 'empty'], pattern: /^[a-zA-Z0-9_-]+$/, max: 64, served: true }),
    I({ of: ['none'], pattern: /^[a-zA-Z0-9_-]+$/, max: 64 }),
  ],
  'tool-declaration-name-invalid': D({ pattern: /^[a-zA-Z0-9_-]+$/, max: 64, under: 'toolSpec' }),
  'tool-arguments-not-object': I({ as: 'object' }),
  'content-empty': [M({ of: ['empty', 'list'] }), I({ of: ['hollow'] })],
  'content-missing': D(),
  'content-null': D(),
  'content-shape': D({ list: true }),
  'messages-empty': D(),
  'role-unknown': D({ roles: ['user', 'assistant'], required: true, lift: 'bedrock' }),
  'text-blank': D(),
  'trailing-whitespace': M({ models: CLAUDE }),
  'role-order': [
    D({ merge: ['user', 'assistant'], except: NEITHER }),
    D({ merge: ['user', 'assistant'], bridge: true, models: NEITHER }),
  ],
  'first-not-user': I(),
  'last-assistant-prefill': M({ models: CLAUDE_4_6 }),
  'document-without-text': S(),
  'document-name-duplicate': S(),
  'tools-undeclared-with-history': [
    D({ of: ['undeclared'], declare: 'bedrock' }),
    // The words ask for the field; a list without a tool in it was not heard of.
    I({ of: ['none'], declare: 'bedrock' }),
  ],
  'lone-surrogate': I({ glance: 'parts' }),
}

export const bedrock: Provider = {
  id: 'bedrock',
  hosts: [/^bedrock-runtime\..*\.amazonaws\.com$/, /^bedrock-mantle\..*\.api\.aws$/],
  serves: [
    { dialect: bedrockConverse, laws: converseLaws },
    { dialect: anthropicMessages, laws: { ...messagesLaws, 'role-order': M({ merge: ['user', 'assistant'] }) } },
    // It encrypts reasoning in its own way: what OpenAI's looks like says nothing here.
    { dialect: openaiResponses, laws: { ...responsesLaws, 'reasoning-encrypted-content-invalid': null } },
  ],
}
