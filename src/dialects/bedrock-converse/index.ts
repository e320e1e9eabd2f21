/**
 * Bedrock Converse: blocks in every message, each an object with one key that says what it is; results as blocks of a user message.
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
import { blocksOf, readContent, splitContent, textOf, textUnderOtherKey, word } from '../blocks.ts'
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
const MEDIA: readonly string[] = ['image', 'document', 'video', 'audio']

export const bedrockConverse: Dialect<'bedrock-converse'> = {
  id: 'bedrock-converse',
  key: 'messages',
  paths: /\/converse(-stream)?$/,
  resultPlacement: 'after-assistant-run',
  resultKeys: RESULT_KEYS,
  nativeMedia,
  blocks: CONTENT,
  declaredTools: ({ toolConfig }) => namesIn(own(toolConfig, 'tools'), 'toolSpec'),
  declareTools: ({ toolConfig }, names) => ({
    key: 'toolConfig',
    value: {
      ...(isObject(toolConfig) ? toolConfig : {}),
      tools: names.map((name) => ({
        toolSpec: { name, description: NOT_AVAILABLE, inputSchema: { json: ANY_OBJECT } },
      })),
    },
  }),
  foreignText: textUnderOtherKey('content'),
  withInstructions: ({ system }, texts) => ({
    key: 'system',
    value: [...(Array.isArray(system) ? system : []), ...texts.map((text) => ({ text }))],
  }),
  neutral,
  read,
  answer: (call, text, succeeded) => ({
    toolResult: { toolUseId: call.id ?? '', content: [{ text }], status: succeeded ? 'success' : 'error' },
  }),
  wrapResults: (results) => (results.length === 0 ? [] : [{ role: 'user', content: results }]),
  textMessage: (role, text, media = []) => ({ role, content: [{ text }, ...media] }),
  call: (_result, id, name) => ({ role: 'assistant', content: [{ toolUse: { toolUseId: id, name, input: {} } }] }),
  content: ({ body }) => splitContent(body, textIn),
  toWireShape: wire,
  write,
  merge: (first, second) => withKey(first as object, 'content', [...saidIn(first), ...saidIn(second)]),
  // A cache point alone says nothing: it only marks what stands before it.
  cleanUp: (message) => (isObject(message) && saidIn(message).every(isCachePoint) ? undefined : message),
}

function read(message: unknown, index: number, parts: Part[]): Role {
  if (!isObject(message)) return 'unknown'
  readContent(message['content'], CONTENT, index, parts, readBlock)
  const role = message['role']
  return role === 'user' || role === 'assistant' || role === 'system' ? role : 'unknown'
}

function readBlock(block: unknown, message: number, index: number): Part {
  if (!isObject(block)) return new Part('opaque', typeof block, message, CONTENT, index, block)
  const text = block['text']
  if (typeof text === 'string')
    return new Part('text', 'text', message, CONTENT, index, block, undefined, undefined, text)
  if (isObject(block['toolUse'])) return readCall(block, block['toolUse'], message, index)
  if (isObject(block['toolResult'])) return readResult(block, block['toolResult'], message, index)
  if (isObject(block['tool_use'])) return readCall(block, block['tool_use'], message, index, ALIAS)
  if (isObject(block['tool_result'])) return readResult(block, block['tool_result'], message, index, ALIAS)
  if (isObject(block['reasoningContent'])) return readReasoning(block, block['reasoningContent'], message, index)
  const type = typeOf(block)
  return new Part(MEDIA.includes(type) ? 'media' : 'opaque', type, message, CONTENT, index, block)
}

/** A union has one member; a client that fills the others with null does not hide it. */
function typeOf(block: JsonObject): string {
  for (const key of Object.keys(block)) if (block[key] !== null && block[key] !== undefined) return key
  return 'empty'
}

function readCall(block: JsonObject, use: JsonObject, message: number, index: number, type = 'toolUse'): Part {
  const idKey = otherIdKey(use, 'toolUseId')
  const id = word(use[idKey ?? 'toolUseId'])
  const server = use['type'] === 'server_tool_use'
  return new Part(
    'call',
    idKey === undefined && otherArgumentKey(use, 'input') === undefined ? type : ALIAS,
    message,
    CONTENT,
    index,
    block,
    id,
    word(use['name']),
    argumentsOf(use, 'input'),
    undefined,
    server,
  )
}

/** The result of a tool that Bedrock ran itself has a type of its own (`nova_code_interpreter_result`). */
function readResult(block: JsonObject, result: JsonObject, message: number, index: number, type = 'toolResult'): Part {
  const server = (word(result['type']) ?? 'tool_result') !== 'tool_result'
  const [idKey, outputKey] = [otherIdKey(result, 'toolUseId'), otherOutputKey(result, 'content')]
  return new Part(
    'result',
    idKey === undefined && outputKey === undefined ? type : ALIAS,
    message,
    CONTENT,
    index,
    block,
    word(result[idKey ?? 'toolUseId']),
    undefined,
    result[outputKey ?? 'content'],
    undefined,
    server,
    result['status'] === 'error',
  )
}

function readReasoning(block: JsonObject, reasoning: JsonObject, message: number, index: number): Part {
  const redacted = reasoning['redactedContent'] ?? undefined
  const type = redacted === undefined ? 'reasoningContent' : 'redactedContent'
  const said = reasoning['reasoningText']
  const sign = redacted ?? own(said, 'signature')
  return new Part('reasoning', type, message, CONTENT, index, block, undefined, undefined, own(said, 'text'), sign)
}

function wire(message: unknown): unknown {
  const content = own(message, 'content')
  const wired = mapChanged(content, (given) => {
    const block = camelBlock(given)
    const { toolUse, toolResult } = isObject(block) ? block : {}
    if (isObject(toolUse)) {
      const named = withOwnKey(toolUse, 'toolUseId', otherIdKey(toolUse, 'toolUseId'))
      const now = withOwnArguments(named, 'input')
      return now === toolUse ? block : withKey(block as object, 'toolUse', now)
    }
    if (!isObject(toolResult)) return block
    const named = withOwnKey(toolResult, 'toolUseId', otherIdKey(toolResult, 'toolUseId'))
    const now = withOwnOutput(named)
    return now === toolResult ? block : withKey(block as object, 'toolResult', now)
  })
  return wired === content ? message : withKey(message as object, 'content', wired)
}

/** `tool_use` and `tool_result` of clients that write all keys in snake case. */
function camelBlock(block: unknown): unknown {
  if (!isObject(block)) return block
  const { tool_use: use, tool_result: result } = block
  if (isObject(use) && block['toolUse'] === undefined) return withOwnKey(block, 'toolUse', 'tool_use')
  return isObject(result) && block['toolResult'] === undefined ? withOwnKey(block, 'toolResult', 'tool_result') : block
}

/** An output under another key may be a text; here it is a list of blocks. */
function withOwnOutput(result: JsonObject): JsonObject {
  const key = otherOutputKey(result, 'content')
  if (key === undefined) return result
  const moved = withOwnKey(result, 'content', key)
  const { content } = moved
  if (Array.isArray(content)) return moved
  return withKey(moved, 'content', [typeof content === 'string' ? { text: content } : { json: content }])
}

function textIn(block: JsonObject): string | undefined {
  if (typeof block['text'] === 'string') return block['text']
  if (block['json'] !== undefined) return textOf(block['json'])
  // A search result may stand in a user's message as it stood in the tool's.
  const type = typeOf(block)
  return MEDIA.includes(type) || type === 'searchResult' ? undefined : textOf(block)
}

function write(of: Part, value: unknown, change: Change): unknown {
  if (typeof value === 'string') return 'text' in change ? change.text : value
  const block = value as JsonObject
  if ('text' in change) return writeText(of, block, change.text)
  const inner = isObject(block[of.type]) ? (block[of.type] as JsonObject) : {}
  return withKey(block, of.type, writeInner(inner, change))
}

function writeText(of: Part, block: JsonObject, text: string): JsonObject {
  if (of.kind !== 'reasoning') return withKey(block, 'text', text)
  const reasoning = block['reasoningContent'] as JsonObject
  const said = isObject(reasoning['reasoningText']) ? reasoning['reasoningText'] : {}
  return withKey(block, 'reasoningContent', withKey(reasoning, 'reasoningText', withKey(said, 'text', text)))
}

function writeInner(inner: JsonObject, change: Exclude<Change, { readonly text: string }>): JsonObject {
  if ('id' in change) return withKey(inner, 'toolUseId', change.id)
  if ('name' in change) return withKey(inner, 'name', change.name)
  if ('arguments' in change) return withKey(inner, 'input', change.arguments)
  const { result } = change
  const content = Array.isArray(result) ? result : [typeof result === 'string' ? { text: result } : { json: result }]
  return withKey(inner, 'content', content)
}

function saidIn(message: unknown): readonly unknown[] {
  return blocksOf(own(message, 'content'), (text) => ({ text }))
}

function isCachePoint(block: unknown): boolean {
  return own(block, 'cachePoint') !== undefined
}
