/** The dialect of a history, by marks that only one dialect has. Reads only the first messages. */
import { isObject, type JsonObject, type NeutralForm, own } from '../core/index.ts'
import { listOf } from './blocks.ts'

/** Most marks are in the first tool round; histories of plain text have no mark. */
const MESSAGES = 64
const BLOCKS = 16

/** The dialect's id. Plain text that fits several dialects counts as OpenAI chat; undefined if no dialect fits. */
export function detect(history: unknown): string | undefined {
  if (Array.isArray(history)) return detectList(history)
  if (!isObject(history)) return undefined
  if (Array.isArray(history['contents'])) return 'gemini'
  if (Array.isArray(history['input']) || typeof history['input'] === 'string') return 'openai-responses'
  const messages = history['messages']
  if (!Array.isArray(messages)) return undefined
  return markOfBody(history) ?? detectList(messages)
}

function markOfBody(body: JsonObject): string | undefined {
  if (body['anthropic_version'] !== undefined) return 'anthropic-messages'
  if (body['inferenceConfig'] !== undefined || body['toolConfig'] !== undefined) return 'bedrock-converse'
  const tools = body['tools']
  if (Array.isArray(tools) && own(tools[0], 'input_schema') !== undefined) return 'anthropic-messages'
  const system = body['system']
  if (Array.isArray(system)) return own(system[0], 'type') === undefined ? 'bedrock-converse' : 'anthropic-messages'
  return undefined
}

function detectList(messages: readonly unknown[]): string | undefined {
  let plain: string | undefined
  let cached = false
  let hasSystem = false
  for (let i = 0; i < messages.length && i < MESSAGES; i++) {
    const message = messages[i]
    if (!isObject(message)) continue
    const mark = markOf(message)
    if (mark !== undefined) return mark
    const { role, content } = message as { role?: unknown; content?: unknown }
    if (typeof role === 'string' && content !== undefined) plain = 'openai-chat'
    hasSystem ||= role === 'system' || role === 'developer'
    cached ||= Array.isArray(content) && content.some((block) => own(block, 'cache_control') !== undefined)
  }
  // Relays accept cache marks in chat messages, too: only without other marks and a system message is it Anthropic.
  return cached && !hasSystem ? 'anthropic-messages' : plain
}

/** The dialect that alone has a mark of this message. */
export function markOf(message: JsonObject): string | undefined {
  if (isLangchain(message)) return 'langchain'
  const { role, type, content } = message as { role?: unknown; type?: unknown; content?: unknown }
  if (message['parts'] !== undefined && content === undefined)
    return isInterface(message['parts']) ? 'ai-sdk-ui' : 'gemini'
  // An answer of Anthropic, stored unchanged.
  if (type === 'message' && (message['stop_reason'] !== undefined || markOfBlocks(content) === 'anthropic-messages'))
    return 'anthropic-messages'
  if (typeof type === 'string' && (role === undefined || type === 'message')) return markOfItem(message, type)
  return markOfKeys(message, role) ?? markOfBlocks(content)
}

/** Parts of the AI SDK's interface messages have a type; Gemini's never do. */
function isInterface(parts: unknown): boolean {
  return Array.isArray(parts) && parts.some((part) => typeof own(part, 'type') === 'string')
}

const LANGCHAIN: readonly string[] = [
  'human',
  'ai',
  'system',
  'tool',
  'function',
  'generic',
  'remove',
  'AIMessageChunk',
]

function isLangchain(message: JsonObject): boolean {
  if (typeof message['_getType'] === 'function' || typeof message['getType'] === 'function') return true
  if (message['lc'] === 1 || message['lc_kwargs'] !== undefined || message['additional_kwargs'] !== undefined)
    return true
  const type = message['type']
  if (message['role'] !== undefined || typeof type !== 'string' || !LANGCHAIN.includes(type)) return false
  return isObject(message['data']) || message['content'] !== undefined
}

/** Items of OpenAI Responses: a message, a reasoning, calls and outputs of many kinds. */
function markOfItem(item: JsonObject, type: string): string | undefined {
  // A message with parts is an interface message of the AI SDK.
  if (item['parts'] !== undefined) return undefined
  return isItemType(type) ? 'openai-responses' : undefined
}

function isItemType(type: string): boolean {
  const isItem = type === 'message' || type === 'reasoning' || type === 'item_reference' || type === 'compaction'
  return isItem || /_(call|call_output|output|list_tools|approval_request|approval_response)$/.test(type)
}

function markOfKeys(message: JsonObject, role: unknown): string | undefined {
  const calls = message['tool_calls']
  if (Array.isArray(calls) && isObject(calls[0])) {
    const [call] = calls
    return call['function'] === undefined && call['args'] !== undefined ? 'langchain' : 'openai-chat'
  }
  if (role === 'tool' && typeof message['tool_call_id'] === 'string') {
    return message['status'] === undefined ? 'openai-chat' : 'langchain'
  }
  if (role === 'function' || message['function_call'] !== undefined || message['reasoning_content'] !== undefined) {
    return 'openai-chat'
  }
  return undefined
}

function markOfBlocks(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined
  for (let i = 0; i < content.length && i < BLOCKS; i++) {
    const block = content[i]
    const mark = isObject(block) ? markOfBlock(block) : undefined
    if (mark !== undefined) return mark
  }
  return undefined
}

const KEYED: readonly string[] = [
  'text',
  'toolUse',
  'toolResult',
  'image',
  'document',
  'reasoningContent',
  'cachePoint',
]

const BY_TYPE: Readonly<Record<string, string>> = {
  tool_use: 'anthropic-messages',
  tool_result: 'anthropic-messages',
  thinking: 'anthropic-messages',
  redacted_thinking: 'anthropic-messages',
  server_tool_use: 'anthropic-messages',
  mcp_tool_use: 'anthropic-messages',
  document: 'anthropic-messages',
  'tool-call': 'ai-sdk',
  'tool-result': 'ai-sdk',
  'tool-approval-request': 'ai-sdk',
  'tool-approval-response': 'ai-sdk',
  image_url: 'openai-chat',
  input_audio: 'openai-chat',
  input_text: 'openai-responses',
  output_text: 'openai-responses',
  input_image: 'openai-responses',
  input_file: 'openai-responses',
}

function markOfBlock(block: JsonObject): string | undefined {
  const type = block['type']
  if (type === undefined) return KEYED.some((key) => Object.hasOwn(block, key)) ? 'bedrock-converse' : undefined
  if (typeof type !== 'string') return undefined
  // Mistral's thoughts are a list of parts.
  if (type === 'thinking' && Array.isArray(block['thinking'])) return 'openai-chat'
  if (Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type]
  if (type === 'image') return block['source'] === undefined ? 'ai-sdk' : 'anthropic-messages'
  if (type === 'file') return block['mediaType'] === undefined ? 'openai-chat' : 'ai-sdk'
  if (type === 'reasoning') return typeof block['text'] === 'string' ? 'ai-sdk' : 'langchain'
  return block['providerOptions'] === undefined ? undefined : 'ai-sdk'
}

const GEMINI_KEYS = ['functionCall', 'functionResponse', 'inlineData', 'fileData', 'function_response', 'inline_data']

/** The only dialect with such a part or item. A bare text is not a mark. */
export function markOfPart(part: JsonObject): string | undefined {
  const type = part['type']
  if (part['toolCallId'] !== undefined && part['state'] !== undefined) return 'ai-sdk-ui'
  if (typeof type !== 'string') {
    if (GEMINI_KEYS.some((key) => isObject(part[key]))) return 'gemini'
    return KEYED.some((key) => key !== 'text' && isObject(part[key])) ? 'bedrock-converse' : undefined
  }
  if (part['call_id'] !== undefined && isItemType(type)) return 'openai-responses'
  return markOfBlock(part)
}

/** How a dialect is distinguished from the others. */
export function marksOf(id: string): Pick<NeutralForm, 'ownsMessage' | 'ownsPart'> {
  return {
    ownsMessage: (message) => markOf(message) === id,
    ownsPart: (part) => markOfPart(part) === id,
  }
}

/** For a dialect with calls among its blocks: lists of calls beside the content, and content under Gemini's key. */
export const foreignLists: Pick<NeutralForm, 'foreignKeys' | 'hasForeignFields'> = {
  foreignKeys: ['tool_calls', 'function_call', 'parts'],
  hasForeignFields: (message) =>
    message['tool_calls'] !== undefined || message['function_call'] !== undefined || hasOnlyParts(message),
}

/** For a dialect with a list of calls: a tool message of the AI SDK has ids inside its content. */
export const foreignParts: Pick<NeutralForm, 'foreignKeys' | 'hasForeignFields'> = {
  foreignKeys: ['parts', 'toolCallId'],
  hasForeignFields: (message) =>
    hasOnlyParts(message) ||
    (message['role'] === 'tool' && own(listOf(message['content'])[0], 'toolCallId') !== undefined),
}

function hasOnlyParts(message: JsonObject): boolean {
  return message['content'] === undefined && message['parts'] !== undefined
}
