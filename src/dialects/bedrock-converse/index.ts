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
import { blocksOf, readContent, splitContent, textOf, textUnderOtherKey, word } from '../blocks.ts'
import { known } from '../known.ts'
import { nativeMedia } from '../native-media.ts'
import {
  mapList,
  RESULT_KEYS,
  withChanged,
  withOwnArguments,
  withOwnId,
  withOwnKey,
  withOwnOutput,
} from '../other-keys.ts'
import { ANY_OBJECT, NOT_AVAILABLE, namesIn } from '../tool-declarations.ts'
import { neutral } from './neutral.ts'

const CONTENT = ['content'] as const
const MEDIA: readonly string[] = ['image', 'document', 'video', 'audio']

/**
 * Bedrock Converse: blocks in every message, each an object with one key, which is its type; results are blocks of a
 * user message.
 */
export const bedrockConverse: Dialect<'bedrock-converse'> = {
  id: 'bedrock-converse',
  key: 'messages',
  paths: /\/converse(-stream)?$/,
  resultPlacement: 'after-assistant-run',
  resultKeys: RESULT_KEYS,
  known: known(),
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
  toWireShape: (message) => mapList(message, 'content', wireBlock),
  write,
  merge: (first, second) => withKey(first as object, 'content', [...contentOf(first), ...contentOf(second)]),
  // A cache point is not content: it marks the blocks before it.
  cleanUp: (message) => (isObject(message) && contentOf(message).every(isCachePoint) ? undefined : message),
}

function read(message: unknown, index: number, parts: Part[]): Role {
  if (!isObject(message)) return 'unknown'
  readContent(message['content'], CONTENT, index, parts, readBlock)
  const role = message['role']
  return role === 'user' || role === 'assistant' || role === 'system' ? role : 'unknown'
}

function readBlock(given: unknown, message: number, index: number): Part {
  if (!isObject(given)) return new Part('opaque', typeof given, message, CONTENT, index, given)
  const text = given['text']
  if (typeof text === 'string') return new Part('text', 'text', message, CONTENT, index, given, text)
  const block = wireBlock(given)
  if (isObject(block['toolUse'])) return readCall(given, block['toolUse'], message, index, block !== given)
  if (isObject(block['toolResult'])) return readResult(given, block['toolResult'], message, index, block !== given)
  if (isObject(block['reasoningContent'])) return readReasoning(block, block['reasoningContent'], message, index)
  const type = typeOf(block)
  return new Part(MEDIA.includes(type) ? 'media' : 'opaque', type, message, CONTENT, index, block)
}

/** The key that is not null: some clients write all members of the union. */
function typeOf(block: JsonObject): string {
  for (const key of Object.keys(block)) if (block[key] !== null && block[key] !== undefined) return key
  return 'empty'
}

function readCall(given: JsonObject, use: JsonObject, message: number, index: number, aliased: boolean): Part {
  const { toolUseId: id, name, input } = use
  const server = use['type'] === 'server_tool_use'
  const type = 'toolUse'
  return new Part('call', type, message, CONTENT, index, given, input, word(id), word(name), server, false, aliased)
}

/** The result of a tool that Bedrock ran itself has a type of its own (`nova_code_interpreter_result`). */
function readResult(given: JsonObject, result: JsonObject, message: number, index: number, aliased: boolean): Part {
  const { toolUseId: id, content, status } = result
  const server = (word(result['type']) ?? 'tool_result') !== 'tool_result'
  const failed = status === 'error'
  const type = 'toolResult'
  return new Part('result', type, message, CONTENT, index, given, content, word(id), undefined, server, failed, aliased)
}

function readReasoning(block: JsonObject, reasoning: JsonObject, message: number, index: number): Part {
  const redacted = reasoning['redactedContent'] ?? undefined
  const type = redacted === undefined ? 'reasoningContent' : 'redactedContent'
  const inner = reasoning['reasoningText']
  const sign = redacted ?? own(inner, 'signature')
  return signed(new Part('reasoning', type, message, CONTENT, index, block, own(inner, 'text')), sign)
}

/** The block with its fields named as on the wire. Some clients write all keys in snake case. */
function wireBlock(block: JsonObject): JsonObject {
  const { toolUse, toolResult, tool_use: use, tool_result: result } = block
  if (isObject(toolUse))
    return withChanged(block, 'toolUse', withOwnArguments(withOwnId(toolUse, 'toolUseId'), 'input'))
  if (isObject(toolResult)) return withChanged(block, 'toolResult', wireResult(toolResult))
  if (isObject(use)) return wireBlock(withOwnKey(block, 'toolUse', 'tool_use'))
  return isObject(result) ? wireBlock(withOwnKey(block, 'toolResult', 'tool_result')) : block
}

/** An output under another key may be a text; here it is a list of blocks. */
function wireResult(result: JsonObject): JsonObject {
  const named = withOwnId(result, 'toolUseId')
  const moved = withOwnOutput(named, 'content')
  return moved === named ? named : withKey(moved, 'content', listed(moved['content']))
}

function listed(output: unknown): readonly unknown[] {
  if (Array.isArray(output)) return output
  return [typeof output === 'string' ? { text: output } : { json: output }]
}

function textIn(block: JsonObject): string | undefined {
  if (typeof block['text'] === 'string') return block['text']
  if (block['json'] !== undefined) return textOf(block['json'])
  // A user's message may hold a search result, as a tool result may.
  const type = typeOf(block)
  return MEDIA.includes(type) || type === 'searchResult' ? undefined : textOf(block)
}

function write(of: Part, value: unknown, change: Change): unknown {
  if (typeof value === 'string') return 'text' in change ? change.text : value
  const block = wireBlock(value as JsonObject)
  if ('text' in change) return writeText(of, block, change.text)
  const inner = isObject(block[of.type]) ? (block[of.type] as JsonObject) : {}
  return withKey(block, of.type, writeInner(inner, change))
}

function writeText(of: Part, block: JsonObject, text: string): JsonObject {
  if (of.kind !== 'reasoning') return withKey(block, 'text', text)
  const reasoning = block['reasoningContent'] as JsonObject
  const inner = isObject(reasoning['reasoningText']) ? reasoning['reasoningText'] : {}
  return withKey(block, 'reasoningContent', withKey(reasoning, 'reasoningText', withKey(inner, 'text', text)))
}

function writeInner(inner: JsonObject, change: Exclude<Change, { readonly text: string }>): JsonObject {
  if ('id' in change) return withKey(inner, 'toolUseId', change.id)
  if ('name' in change) return withKey(inner, 'name', change.name)
  if ('arguments' in change) return withKey(inner, 'input', change.arguments)
  return withKey(inner, 'content', listed(change.result))
}

function contentOf(message: unknown): readonly unknown[] {
  return blocksOf(own(message, 'content'), (text) => ({ text }))
}

function isCachePoint(block: unknown): boolean {
  return own(block, 'cachePoint') !== undefined
}
