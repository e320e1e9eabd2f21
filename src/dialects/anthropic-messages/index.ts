/**
 * Anthropic Messages: blocks in every message, results as blocks of a user message.
 */
import {
  type Change,
  type Dialect,
  isObject,
  type JsonObject,
  own,
  Part,
  type Role,
  withKey,
} from '../../core/index.ts'
import {
  blocksOf,
  isEmptyList,
  readContent,
  splitContent,
  textBlock,
  textOf,
  textUnderOtherKey,
  word,
} from '../blocks.ts'
import { nativeMedia } from '../native-media.ts'
import {
  argumentsOf,
  mapChanged,
  otherArgumentKey,
  otherIdKey,
  otherOutputKey,
  RESULT_KEYS,
  withOwnArguments,
  withOwnKey,
} from '../other-keys.ts'
import { ANY_OBJECT, NOT_AVAILABLE, namesIn } from '../tool-declarations.ts'
import { neutral } from './neutral.ts'

const CONTENT = ['content'] as const
/** A call with its arguments under another key. */
const ALIAS = 'alias'

export const anthropicMessages: Dialect<'anthropic-messages'> = {
  id: 'anthropic-messages',
  key: 'messages',
  paths: /\/v1\/messages$|:(stream)?rawPredict$/i,
  resultPlacement: 'after-assistant-run',
  resultKeys: RESULT_KEYS,
  nativeMedia,
  blocks: CONTENT,
  cacheKey: 'cache_control',
  cachedLists: ['tools', 'system'],
  declaredTools: ({ tools }) => namesIn(tools),
  declareTools: (_request, names) => ({
    key: 'tools',
    value: names.map((name) => ({ name, description: NOT_AVAILABLE, input_schema: ANY_OBJECT })),
  }),
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
  toWireShape: (message) => {
    const content = own(message, 'content')
    const wired = mapChanged(content, wireBlock)
    return wired === content ? message : withKey(message as object, 'content', wired)
  },
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
  const lost = lostType(block)
  const type = lost ?? word(block['type']) ?? 'none'
  switch (type) {
    case 'text':
      return new Part('text', type, message, CONTENT, index, block, undefined, undefined, block['text'])
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return readCall(block, type, lost !== undefined, message, index)
    case 'thinking': {
      const { thinking, signature } = block
      return new Part('reasoning', type, message, CONTENT, index, block, undefined, undefined, thinking, signature)
    }
    case 'redacted_thinking':
      return new Part('reasoning', type, message, CONTENT, index, block, undefined, undefined, undefined, block['data'])
    case 'image':
    case 'document':
      return new Part('media', type, message, CONTENT, index, block)
  }
  return type === 'tool_result' || type.endsWith('_tool_result')
    ? readResult(block, type, lost !== undefined, message, index)
    : new Part('opaque', type, message, CONTENT, index, block)
}

/** `tool_use` is a call for the client; Anthropic itself runs those of the other types. */
function readCall(block: JsonObject, type: string, isTypeLost: boolean, message: number, index: number): Part {
  const idKey = otherIdKey(block, 'id')
  const isOwn = !isTypeLost && idKey === undefined && otherArgumentKey(block, 'input') === undefined
  return new Part(
    'call',
    isOwn ? type : ALIAS,
    message,
    CONTENT,
    index,
    block,
    word(block[idKey ?? 'id']),
    word(block['name']),
    argumentsOf(block, 'input'),
    undefined,
    type !== 'tool_use',
  )
}

/** `tool_result` is the client's; `web_search_tool_result` and the like are of tools that Anthropic runs. */
function readResult(block: JsonObject, type: string, isTypeLost: boolean, message: number, index: number): Part {
  const server = type !== 'tool_result'
  const idKey = otherIdKey(block, 'tool_use_id')
  const outputKey = otherOutputKey(block, 'content')
  const isOwn = !isTypeLost && idKey === undefined && outputKey === undefined
  return new Part(
    'result',
    isOwn ? type : ALIAS,
    message,
    CONTENT,
    index,
    block,
    word(block[idKey ?? 'tool_use_id']),
    undefined,
    block[outputKey ?? 'content'],
    undefined,
    server,
    !server && block['is_error'] === true,
  )
}

function write(of: Part, value: unknown, change: Change): unknown {
  if ('text' in change) return typeof value === 'string' ? change.text : withKey(value as object, 'text', change.text)
  if ('id' in change) return withKey(value as object, of.kind === 'result' ? 'tool_use_id' : 'id', change.id)
  if ('name' in change) return withKey(value as object, 'name', change.name)
  if ('arguments' in change) return withKey(value as object, 'input', change.arguments)
  return withKey(value as object, 'content', change.result)
}

/** A call or a result without a type is recognized by its keys. */
function lostType(block: JsonObject): string | undefined {
  if (block['type'] !== undefined && block['type'] !== null) return undefined
  if (word(block['tool_use_id']) !== undefined) return 'tool_result'
  return word(block['id']) !== undefined && word(block['name']) !== undefined ? 'tool_use' : undefined
}

function wireBlock(block: unknown): unknown {
  const lost = isObject(block) ? lostType(block) : undefined
  const typed = lost === undefined ? block : withKey(block as object, 'type', lost)
  if (isCall(typed))
    return withOwnArguments(withOwnKey(typed as JsonObject, 'id', otherIdKey(typed as JsonObject, 'id')), 'input')
  if (!isObject(typed) || typed['type'] !== 'tool_result') return typed
  const named = withOwnKey(typed, 'tool_use_id', otherIdKey(typed, 'tool_use_id'))
  return withOwnKey(named, 'content', otherOutputKey(named, 'content'))
}

function isCall(block: unknown): boolean {
  return own(block, 'type') === 'tool_use'
}

/** Texts go before calls: some reports say that a text after a call is rejected. Reasoning keeps its place, so nothing moves around it. */
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

function isThinking(block: unknown): boolean {
  const type = own(block, 'type')
  return type === 'thinking' || type === 'redacted_thinking'
}
