/**
 * Anthropic Messages: blocks in every message, results as blocks of a user message.
 */
import { type Change, type Dialect, isObject, own, Part, type Role, withKey } from '../core/index.ts'
import {
  blocksOf,
  isEmptyList,
  readContent,
  splitContent,
  textBlock,
  textOf,
  textUnderOtherKey,
  word,
} from './blocks.ts'
import { ANY_OBJECT, NOT_AVAILABLE, namesIn } from './tool-declarations.ts'

const CONTENT = ['content'] as const

export const anthropicMessages: Dialect = {
  id: 'anthropic-messages',
  key: 'messages',
  paths: /\/v1\/messages$|:(stream)?rawPredict$/i,
  slot: 'run',
  blocks: CONTENT,
  cacheKey: 'cache_control',
  cachedLists: ['tools', 'system'],
  declaredTools: ({ tools }) => namesIn(tools),
  declareTools: (_request, names) => ({
    key: 'tools',
    value: names.map((name) => ({ name, description: NOT_AVAILABLE, input_schema: ANY_OBJECT })),
  }),
  read,
  messageId: (message) => word(own(message, 'id')),
  foreignText: textUnderOtherKey('content'),
  withInstructions({ system }, texts) {
    const blocks = texts.map(textBlock)
    const before = typeof system === 'string' && system !== '' ? [system] : []
    return { key: 'system', value: Array.isArray(system) ? [...system, ...blocks] : [...before, ...texts].join('\n\n') }
  },
  answer: (call, text) => ({ type: 'tool_result', tool_use_id: call.id ?? '', content: text, is_error: true }),
  hold: (results) => (results.length === 0 ? [] : [{ role: 'user', content: results }]),
  say: (role, text, media = []) => ({ role, content: media.length > 0 ? [textBlock(text), ...media] : text }),
  call: (_result, id, name) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] }),
  content: ({ body }) => splitContent(body, (block) => (block['type'] === 'text' ? textOf(block['text']) : undefined)),
  write,
  merge: (first, second) =>
    withKey(
      first as object,
      'content',
      [first, second].flatMap((message) => blocksOf(own(message, 'content'))),
    ),
  tidy(message) {
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

/** Tools that Anthropic runs itself: `server_tool_use` and `mcp_tool_use`, and any `..._tool_result` beside the client's own. */
function readBlock(block: unknown, message: number, index: number): Part {
  if (!isObject(block)) return new Part('opaque', typeof block, message, CONTENT, index, block)
  const type = String(block['type'])
  switch (type) {
    case 'text':
      return new Part('text', type, message, CONTENT, index, block, undefined, undefined, block['text'])
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const [id, name] = [word(block['id']), word(block['name'])]
      return new Part(
        'call',
        type,
        message,
        CONTENT,
        index,
        block,
        id,
        name,
        block['input'],
        undefined,
        type !== 'tool_use',
      )
    }
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
  const server = type !== 'tool_result'
  if (server && !type.endsWith('_tool_result')) return new Part('opaque', type, message, CONTENT, index, block)
  const { tool_use_id: id, content, is_error: failed } = block
  return new Part(
    'result',
    type,
    message,
    CONTENT,
    index,
    block,
    word(id),
    undefined,
    content,
    undefined,
    server,
    !server && failed === true,
  )
}

function write(of: Part, value: unknown, change: Change): unknown {
  if ('text' in change) return typeof value === 'string' ? change.text : withKey(value as object, 'text', change.text)
  if ('id' in change) return withKey(value as object, of.kind === 'result' ? 'tool_use_id' : 'id', change.id)
  if ('name' in change) return withKey(value as object, 'name', change.name)
  if ('arguments' in change) return withKey(value as object, 'input', change.arguments)
  return withKey(value as object, 'content', change.result)
}
