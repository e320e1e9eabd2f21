/**
 * Laws of OpenAI's two APIs. Most others speak the first of them and differ in a few points.
 */
import type { Law, Laws } from '../core/index.ts'
import { D, F, I, M, orphans, S, unanswered, unansweredById } from './evidence.ts'
import { GPT_4 } from './models.ts'

/** Models known to take no dot in the name of a tool. */
const NO_DOTS = /(?:^|\/)gpt-[34]/i
const NAME = /^[a-zA-Z0-9_-]+$/
const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function']

/** The functions of the first API are OpenAI's own. */
export const LATER = ROLES.filter((role) => role !== 'function')

const SHAPES = ['content', 'block', 'type', 'untyped', 'text', 'caller']
const KEYS = ['keys', 'answer', 'stray', 'form', 'mute', 'hollow', 'unread']

/** A list of objects, and calls that are some, is asked for by whoever reads it; what else OpenAI's schema says, only by those who were heard to. */
export const shapeLaws = (sure: typeof D, of: readonly string[]): readonly Law[] => [
  D({ of: ['message', 'entry'], typed: true }),
  ...(of.length > 0 ? [sure({ of, typed: true })] : []),
  I({ of: [...SHAPES, ...KEYS].filter((id) => !of.includes(id)), typed: true }),
]

/** What the schema says. */
const shape: Laws = {
  // A field that is not known goes unread (nobody reports more), so that calls under another name are missed where they are answered.
  'content-shape': shapeLaws(D, [...SHAPES, 'keys', 'answer', 'stray', 'form', 'mute']),
  'messages-empty': M(),
  'role-unknown': D({ roles: ROLES, required: true }),
}

export const chatLaws: Laws = {
  ...shape,
  'tool-result-missing': unanswered(D, { seen: 'slot' }),
  'tool-result-not-adjacent': M(),
  'tool-result-orphan': orphans(D),
  'tool-result-duplicate': I(),
  // In a later turn: services accepted it, there are reports of refusal too.
  'tool-call-id-duplicate': [M({ scope: 'message' }), S({ scope: 'request' })],
  'tool-call-id-empty': [I(), D({ half: true })],
  'tool-call-id-too-long': [M({ max: 64, except: GPT_4 }), M({ max: 40, models: GPT_4 })],
  'tool-call-name-invalid': M({ pattern: NAME }),
  'message-name-invalid': F({ pattern: /^[^\s<|\\/>]+$/ }),
  'tool-arguments-not-json': I({ glance: true }),
  'tool-arguments-not-object': I({ as: 'string', glance: true }),
  'tool-calls-empty-array': D(),
  'content-null': M(),
  'content-missing': D({ calls: false }),
  'tools-too-many': M({ max: 128 }),
  // Some models take dots.
  'tool-declaration-name-invalid': [
    M({ pattern: /^[a-zA-Z0-9_.-]+$/, under: 'function', except: NO_DOTS }),
    M({ pattern: NAME, under: 'function', models: NO_DOTS }),
  ],
  'image-too-many': S({ max: 500 }),
  'lone-surrogate': I({ glance: 'parts' }),
}

/** What speaks the chat dialect without a report of its own: what OpenAI refuses is only assumed there. */
export const likeChat: Laws = {
  'content-shape': shapeLaws(I, []),
  'messages-empty': M(),
  'role-unknown': [
    D({ of: ['none'], roles: LATER, required: true }),
    I({ of: ['role', 'calls', 'legacy', 'mute'], roles: LATER, required: true }),
  ],
  'tool-result-missing': I(),
  'tool-result-not-adjacent': I(),
  'tool-result-orphan': I(),
  'tool-result-duplicate': I(),
  'tool-call-id-duplicate': I({ scope: 'message' }),
  'tool-call-id-empty': [I(), I({ half: true })],
  'tool-call-name-invalid': I({ pattern: NAME }),
  'tool-arguments-not-json': I({ glance: true }),
  'tool-arguments-not-object': I({ as: 'string', glance: true }),
  'tool-calls-empty-array': I(),
  'content-null': I(),
  'content-missing': I({ calls: false }),
  'lone-surrogate': I({ glance: 'parts' }),
}

/** Where an empty message is refused: a call of the first API is none there, and the message that makes it says nothing. */
export const muteLaws: readonly Law[] = [
  D({ of: ['none'], roles: LATER, required: true }),
  I({ of: ['role', 'calls', 'legacy'], roles: LATER, required: true }),
  M({ of: ['mute'], roles: LATER, required: true }),
]

/** What a shell printed comes in pieces that have no type. */
const CHUNKS = ['shell_call_output']

/** What the schema of the items says. */
const itemShape: Laws = {
  'content-null': F(),
  'content-missing': D(),
  'content-shape': D({ typed: true, item: true, always: true, chunks: CHUNKS }),
  'role-unknown': D({ roles: ['system', 'developer', 'user', 'assistant'], required: true }),
}

/** What speaks in items without a report of its own. */
export const likeResponses: Laws = {
  'content-null': I(),
  'content-missing': I(),
  'content-shape': shapeLaws(I, []).map((law) => ({ ...law, item: true, chunks: CHUNKS })),
  'role-unknown': [
    D({ of: ['none'], roles: ['system', 'developer', 'user', 'assistant'], required: true }),
    I({ of: ['role', 'calls'], roles: ['system', 'developer', 'user', 'assistant'], required: true }),
  ],
}

/** Kinds of calls of which refusals were heard; of others (a computer, a shell, a patch) none is known. */
export const HEARD = ['function_call', 'custom_tool_call', 'local_shell_call']

/** Paired by id, wherever they stand: an output before its call, or a second one, was not heard to be refused. */
export const responsesOrphan: readonly Law[] = [D({ of: ['orphan'] }), I({ of: ['early', 'again'] })]

export const responsesLaws: Laws = {
  ...itemShape,
  'tool-result-missing': unansweredById(D, { seen: 'list' }),
  'tool-result-orphan': responsesOrphan,
  'tool-result-duplicate': I(),
  'tool-result-item-id': S(),
  'tool-call-id-empty': [M({ always: true, types: HEARD }), M({ half: true, always: true, types: HEARD })],
  'tool-call-id-too-long': M({ max: 64, types: HEARD }),
  'tool-call-name-invalid': I({ pattern: NAME }),
  'tool-arguments-not-json': I({ glance: true }),
  'content-part-direction': [F({ of: ['direction'] }), I({ of: ['reverse'] })],
  'reasoning-item-orphan': D(),
  'reasoning-encrypted-content-invalid': D({ begins: 'gAAA' }),
  'reasoning-item-content-forbidden': M(),
  'item-id-not-persisted': D(),
  'item-id-prefix': M(),
  'item-id-duplicate': M(),
  // Fields that only answers have, and what SDKs parse of them.
  'unknown-field': F({
    fields: {
      reasoning: ['status'],
      function_call: ['parsed_arguments', 'created_by'],
      function_call_output: ['created_by'],
    },
  }),
}
