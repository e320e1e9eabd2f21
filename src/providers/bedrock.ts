import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { bedrockConverse } from '../dialects/bedrock-converse/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import type { Constraints } from '../rules/index.ts'
import { dropping, messagesConstraints, thinkingConstraints } from './claude.ts'
import { ownBlocks, ownFormat } from './foreign.ts'
import { CLAUDE, CLAUDE_4_6, CLAUDE_BINDING, NOT_CLAUDE } from './models.ts'
import { responsesConstraints } from './openai-constraints.ts'

/** Families that want results in a turn of their own. Not Claude, and not Nova, which accepts text beside them. */
const NEITHER = /^(?!.*(?:claude|nova))/is
const NAME = /^[a-zA-Z0-9_-]+$/
const SETTING = ['additionalModelRequestFields', 'thinking']

/** Fields that blocks and messages of other dialects have. */
const BLOCK_FIELDS = ['type', 'annotations', 'cache_control', 'citations', 'logprobs', 'id', 'index']
const MESSAGE_FIELDS = [
  ...['type', 'id', 'status', 'name', 'model', 'usage', 'stop_reason', 'stop_sequence', 'phase'],
  'refusal',
]

/** Looked for in the next message, wherever in it: counted first, then by id. */
const pairing = { by: 'next', rejects: ['missing', 'orphan', 'duplicate'] } as const

const onClaude: Constraints = {
  'thinking-signature-missing': { ...thinkingConstraints['thinking-signature-missing'], models: CLAUDE },
  'thinking-signature-invalid': { ...thinkingConstraints['thinking-signature-invalid'], models: CLAUDE },
  'thinking-text-missing': { ...thinkingConstraints['thinking-text-missing'], models: CLAUDE },
  'thinking-block-missing-before-tool-use': { evidence: 'documented', models: CLAUDE, setting: SETTING },
  'thinking-bound-to-other-prefix': {
    ...thinkingConstraints['thinking-bound-to-other-prefix'],
    models: CLAUDE_BINDING,
    dropping: { ...dropping, setting: SETTING },
  },
}

const converseConstraints: Constraints = {
  ...onClaude,
  'foreign-message': ownFormat(bedrockConverse),
  'tool-result-missing': { evidence: 'many-reports', pairing },
  'tool-result-not-adjacent': { evidence: 'many-reports', pairing },
  'tool-result-orphan': { evidence: 'many-reports', pairing },
  'tool-result-duplicate': { evidence: 'many-reports', pairing },
  // Of no use without its call, and counted as any other result.
  'server-tool-result-orphan': { evidence: 'many-reports' },
  'tool-result-mixed-with-other-parts': { evidence: 'few-reports', beside: ['cachePoint'], models: NEITHER },
  'tool-call-mixed-with-text': { evidence: 'single-report', models: NOT_CLAUDE },
  'tool-result-error-empty': { evidence: 'single-report' },
  'tool-call-id-duplicate': { evidence: 'few-reports', scope: 'message' },
  'tool-call-message-copied': { evidence: 'few-reports' },
  'tool-result-not-object': { evidence: 'few-reports', key: 'json' },
  // The API reference requires an id of one character or more.
  'tool-call-id-empty': [{ evidence: 'documented' }, { evidence: 'many-reports', half: true, pairing }],
  'tool-result-shape': {
    evidence: 'documented',
    list: true,
    required: true,
    ...ownBlocks(['text', 'json', 'image', 'document', 'video', 'searchResult']),
  },
  'tool-call-id-too-long': { evidence: 'many-reports', max: 64 },
  // The wider of two patterns that were reported; new ids fit the narrower too.
  'tool-call-id-format': { evidence: 'documented', pattern: /^[a-zA-Z0-9_.:-]+$/ },
  'tool-call-name-invalid': { evidence: 'documented', pattern: NAME, max: 64, served: true },
  'tool-declaration-name-invalid': { evidence: 'documented', pattern: NAME, max: 64 },
  // vercel/ai#16561, vercel/ai#19023
  'tool-arguments-not-object': { evidence: 'few-reports', as: 'object' },
  'content-empty': { evidence: 'many-reports' },
  'content-missing': { evidence: 'documented' },
  'content-null': { evidence: 'documented' },
  'content-shape': { evidence: 'documented', list: true, objects: ['toolUse', 'toolResult'] },
  'tool-call-role': { evidence: 'documented' },
  'messages-empty': { evidence: 'documented' },
  'role-unknown': { evidence: 'documented', roles: ['user', 'assistant'], required: true },
  'text-blank': { evidence: 'documented' },
  'trailing-whitespace': { evidence: 'many-reports', models: CLAUDE, except: CLAUDE_4_6 },
  'role-order': [
    { evidence: 'documented', merge: ['user', 'assistant'], except: NEITHER },
    { evidence: 'documented', merge: ['user', 'assistant'], bridge: true, models: NEITHER },
  ],
  'first-not-user': { evidence: 'few-reports' },
  'last-assistant-prefill': { evidence: 'many-reports', models: CLAUDE_4_6 },
  'document-without-text': { evidence: 'single-report' },
  'document-name-duplicate': { evidence: 'single-report' },
  'document-name-invalid': { evidence: 'documented' },
  // The words ask for the field; a list without a tool in it was not seen rejected.
  'tools-undeclared-with-history': { evidence: 'documented', pattern: NAME, max: 64, emptyOk: true },
  // A block is a union with one member, and a message has two fields: 567-labs/instructor#1467, mem0ai/mem0#3378.
  'unknown-field': [
    { evidence: 'few-reports', fields: { '*': BLOCK_FIELDS }, messages: { '*': MESSAGE_FIELDS } },
    { evidence: 'few-reports', leave: true, messages: { '*': ['tool_calls', 'tool_call_id'] } },
  ],
  'lone-surrogate': { evidence: 'inferred' },
}

/** Amazon Bedrock: Converse, and Anthropic's own dialect. */
export const bedrock: Provider<'bedrock'> = {
  id: 'bedrock',
  hosts: [/^bedrock-runtime\..*\.amazonaws\.com$/, /^bedrock-mantle\..*\.api\.aws$/],
  serves: [
    { dialect: bedrockConverse, constraints: converseConstraints },
    {
      dialect: anthropicMessages,
      constraints: {
        ...messagesConstraints,
        // A user text after a message of results was recorded as accepted.
        'role-order': { evidence: 'many-reports', merge: ['user', 'assistant'], afterResults: true },
      } satisfies Constraints,
    },
    // It encrypts reasoning in its own way, so the form of OpenAI's does not apply.
    { dialect: openaiResponses, constraints: { ...responsesConstraints, 'reasoning-encrypted-content-invalid': null } },
  ],
}
