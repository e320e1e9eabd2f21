import {
  type Change,
  type Dialect,
  isObject,
  type JsonObject,
  own,
  Part,
  type Role,
  signed,
  withKey,
} from '../../core/index.ts'
import {
  blocksOf,
  isEmptyList,
  isThinking,
  listOf,
  readContent,
  splitContent,
  textBlock,
  textOf,
  textUnderOtherKey,
  word,
} from '../blocks.ts'
import { known } from '../known.ts'
import { nativeMedia } from '../native-media.ts'
import { mapList, RESULT_KEYS, withOwnArguments, withOwnId, withOwnOutput } from '../other-keys.ts'
import { ANY_OBJECT, NOT_AVAILABLE, namesIn } from '../tool-declarations.ts'
import { neutral } from './neutral.ts'

const CONTENT = ['content'] as const

/** Anthropic Messages: blocks in every message, results as blocks of a user message. */
export const anthropicMessages: Dialect<'anthropic-messages'> = {
  id: 'anthropic-messages',
  key: 'messages',
  paths: /\/v1\/messages$|:(stream)?rawPredict$/i,
  resultPlacement: 'after-assistant-run',
  resultKeys: RESULT_KEYS,
  known: known('thread'),
  nativeMedia,
  blocks: CONTENT,
  cacheKey: 'cache_control',
  cachedLists: ['tools', 'system'],
  declaredTools: ({ tools }) => namesIn(tools),
  declareTools: (_request, names) => ({
    key: 'tools',
    value: names.map((name) => ({ name, description: NOT_AVAILABLE, input_schema: ANY_OBJECT })),
  }),
  isOpening: (message) => own(listOf(own(message, 'content'))[0], 'type') === 'compaction',
  holdsEarlierTurns: ({ request }) =>
    (request?.['thread'] ?? undefined) !== undefined && own(request?.['thread'], 'type') !== 'create',
  neutral,
  read,
  messageId: (message) => word(own(message, 'id')),
  foreignText: textUnderOtherKey('content'),
  withInstructions({ system }, texts) {
    const blocks = texts.map(textBlock)
    const before = typeof system === 'string' && system !== '' ? [system] : []
    return { key: 'system', value: Array.isArray(system) ? [...system, ...blocks] : [...before, ...texts].join('\n\n') }
  },
  answer: (call, text, succeeded) => {
    const result = { type: 'tool_result', tool_use_id: call.id ?? '', content: text }
    return succeeded ? result : { ...result, is_error: true }
  },
  wrapResults: (results) => (results.length === 0 ? [] : [{ role: 'user', content: results }]),
  textMessage: (role, text, media = []) => ({ role, content: media.length > 0 ? [textBlock(text), ...media] : text }),
  call: (_result, id, name) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] }),
  content: ({ body }) => splitContent(body, (block) => (block['type'] === 'text' ? textOf(block['text']) : undefined)),
  toWireShape: (message) => mapList(message, 'content', wireBlock),
  write,
  merge: (first, second) =>
    withKey(first as object, 'content', joined(blocksOf(own(first, 'content')), blocksOf(own(second, 'content')))),
  cleanUp(message) {
    const content = own(message, 'content')
    return content === '' || isEmptyList(content) ? undefined : message
  },
}

function read(message: unknown, index: number, parts: Part[]): Role {
  if (!isObject(message)) return 'unknown'
  readContent(message['content'], CONTENT, index, parts, readBlock)
  const role = message['role']
  return role === 'user' || role === 'assistant' || role === 'system' ? role : 'unknown'
}

function readBlock(block: unknown, message: number, index: number): Part {
  if (!isObject(block)) return new Part('opaque', typeof block, message, CONTENT, index, block)
  const type = word(block['type']) ?? lostType(block) ?? 'none'
  switch (type) {
    case 'text':
      return new Part('text', type, message, CONTENT, index, block, block['text'])
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return readCall(block, type, message, index)
    case 'thinking': {
      const { thinking, signature } = block
      return signed(new Part('reasoning', type, message, CONTENT, index, block, thinking), signature)
    }
    case 'redacted_thinking':
      return signed(new Part('reasoning', type, message, CONTENT, index, block, undefined), block['data'])
    case 'image':
    case 'document':
      return new Part('media', type, message, CONTENT, index, block)
  }
  return type === 'tool_result' || type.endsWith('_tool_result')
    ? readResult(block, type, message, index)
    : new Part('opaque', type, message, CONTENT, index, block)
}

/** `tool_use` is a call for the client; Anthropic itself runs those of the other types. */
function readCall(given: JsonObject, type: string, message: number, index: number): Part {
  const block = wireBlock(given)
  const { id, name, input } = block
  const server = type !== 'tool_use'
  const aliased = block !== given
  return new Part('call', type, message, CONTENT, index, given, input, word(id), word(name), server, false, aliased)
}

/** `tool_result` is the client's; `web_search_tool_result` and the like are of tools that Anthropic runs. */
function readResult(given: JsonObject, type: string, message: number, index: number): Part {
  const block = wireBlock(given)
  const { tool_use_id: id, content, is_error } = block
  const server = type !== 'tool_result'
  const failed = !server && is_error === true
  const aliased = block !== given
  return new Part('result', type, message, CONTENT, index, given, content, word(id), undefined, server, failed, aliased)
}

function write(of: Part, value: unknown, change: Change): unknown {
  if (typeof value === 'string') return 'text' in change ? change.text : value
  const block = wireBlock(value as JsonObject)
  if ('text' in change) return withKey(block, 'text', change.text)
  if ('id' in change) return withKey(block, of.kind === 'result' ? 'tool_use_id' : 'id', change.id)
  if ('name' in change) return withKey(block, 'name', change.name)
  if ('arguments' in change) return withKey(block, 'input', change.arguments)
  return withKey(block, 'content', change.result)
}

/** A call or a result without a type is recognized by its keys. */
function lostType(block: JsonObject): string | undefined {
  if (block['type'] !== undefined && block['type'] !== null) return undefined
  if (word(block['tool_use_id']) !== undefined) return 'tool_result'
  return word(block['id']) !== undefined && word(block['name']) !== undefined ? 'tool_use' : undefined
}

/** The block with its fields named as on the wire. */
function wireBlock(block: JsonObject): JsonObject {
  const lost = lostType(block)
  const typed = lost === undefined ? block : withKey(block, 'type', lost)
  if (typed['type'] === 'tool_use') return withOwnArguments(withOwnId(typed, 'id'), 'input')
  return typed['type'] === 'tool_result' ? withOwnOutput(withOwnId(typed, 'tool_use_id'), 'content') : typed
}

function isCall(block: unknown): boolean {
  return own(block, 'type') === 'tool_use'
}

/** Texts go before calls: reports say that a text after a call is rejected. Nothing moves across reasoning. */
function joined(first: readonly unknown[], second: readonly unknown[]): readonly unknown[] {
  const at = first.findIndex(isCall)
  const isText = (block: unknown) => own(block, 'type') === 'text'
  if (at < 0 || !second.some(isText) || second.some(isThinking) || first.slice(at).some(isThinking))
    return [...first, ...second]
  return [
    ...first.slice(0, at),
    ...second.filter(isText),
    ...first.slice(at),
    ...second.filter((block) => !isText(block)),
  ]
}
