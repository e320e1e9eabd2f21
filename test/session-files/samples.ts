/**
 * Valid session files of each format, written here: two turns, parallel calls, text that is not ASCII. And broken
 * histories put into them.
 */
import { bytesOf } from '../../src/session-files/salvage/bytes.ts'
import { type Container, LINES } from './damage.ts'

export type Line = Record<string, unknown>

export const FORMATS = ['claude-code', 'codex', 'copilot-cli', 'pi', 'qwen-code'] as const
export type FormatId = (typeof FORMATS)[number]

export function fileOf(lines: readonly unknown[]): Uint8Array {
  return bytesOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** The format's dialect, as histories are put into it. */
export const DIALECTS: Readonly<Record<FormatId, string>> = {
  'claude-code': 'anthropic-messages',
  codex: 'openai-responses',
  'copilot-cli': 'openai-chat',
  pi: 'anthropic-messages',
  'qwen-code': 'gemini',
}

let clock = 0
const time = () => new Date(Date.UTC(2026, 0, 2, 3, 4, 5, clock++)).toISOString()

/** A history in the format's dialect as a file of the format, one record after the other. */
export function fileFrom(format: FormatId, history: readonly unknown[], version?: string): Line[] {
  clock = 0
  return MAKERS[format](history as Line[], version)
}

/** Claude Code 2.0: one line a block, results in one line. With 2.1 each result hangs on its call. */
export function claudeLines(history: readonly Line[], version = '2.0.37'): Line[] {
  const lines: Line[] = []
  const callLine = new Map<string, string>()
  let parent: string | null = null
  history.forEach((message, m) => {
    const content = message['content']
    const blocks = (Array.isArray(content) ? content : [content]) as (Line | string)[]
    blocks.forEach((block, b) => {
      const uuid = `u-${m}-${b}`
      const id = typeof block === 'object' && block?.['type'] === 'tool_use' ? String(block['id']) : undefined
      const answers =
        typeof block === 'object' && block?.['type'] === 'tool_result' ? String(block['tool_use_id']) : undefined
      const own = answers === undefined || !version.startsWith('2.1') ? parent : (callLine.get(answers) ?? parent)
      if (id !== undefined) callLine.set(id, uuid)
      const envelope = {
        isSidechain: false,
        userType: 'external',
        cwd: '/p',
        sessionId: 'S',
        version,
        gitBranch: 'main',
      }
      const inner =
        message['role'] === 'assistant'
          ? {
              id: `msg_${m}`,
              type: 'message',
              role: 'assistant',
              model: 'claude-sonnet-4-5',
              content: [block],
              stop_reason: null,
              stop_sequence: null,
              usage: { output_tokens: 1 },
            }
          : { role: message['role'], content: typeof block === 'string' ? block : [block] }
      lines.push({
        parentUuid: own,
        ...envelope,
        type: message['role'],
        message: inner,
        uuid,
        timestamp: time(),
        ...(answers !== undefined && { toolUseResult: { stdout: 'x' } }),
      })
      parent = uuid
    })
  })
  return lines
}

function codexLines(history: readonly Line[]): Line[] {
  const payload = {
    id: 'T',
    session_id: 'T',
    cwd: '/p',
    cli_version: '0.166.0',
    history_mode: 'paginated',
    source: 'cli',
  }
  const head = [
    { type: 'session_meta', payload },
    { type: 'turn_context', payload: { turn_id: 't1', model: 'gpt-5.1-codex', cwd: '/p' } },
  ]
  const lines = [...head, ...history.map((item) => ({ type: 'response_item', payload: item }))]
  return lines.map((line, ordinal) => ({ timestamp: time(), ordinal, ...line }))
}

function copilotLines(history: readonly Line[]): Line[] {
  const start = {
    type: 'session.start',
    data: {
      sessionId: 'S',
      version: 1,
      producer: 'copilot-agent',
      copilotVersion: '1.0.102',
      selectedModel: 'gpt-4.1',
      context: { cwd: '/p' },
    },
  }
  const events = history.map((message, m) => {
    const { role, content } = message
    if (role === 'tool')
      return {
        type: 'tool.execution_complete',
        data: { toolCallId: message['tool_call_id'], success: true, result: { content } },
      }
    if (role !== 'assistant') return { type: 'user.message', data: { content, interactionId: 'i1' } }
    const calls = ((message['tool_calls'] ?? []) as Line[]).map((call) => {
      const fn = call['function'] as Line
      return { toolCallId: call['id'], name: fn['name'], arguments: fn['arguments'], type: 'function' }
    })
    return {
      type: 'assistant.message',
      data: { messageId: `m${m}`, model: 'gpt-4.1', content: content ?? '', toolRequests: calls },
    }
  })
  return [start, ...events].map((event, i) => ({
    ...event,
    id: `e${i}`,
    timestamp: time(),
    parentId: i === 0 ? null : `e${i - 1}`,
  }))
}

function piLines(history: readonly Line[]): Line[] {
  const messages = history.flatMap((message) => {
    const content = message['content']
    const given = Array.isArray(content) ? content : []
    const blocks = (typeof content === 'string' ? [{ type: 'text', text: content }] : given) as Line[]
    if (message['role'] === 'assistant')
      return [
        {
          role: 'assistant',
          content: blocks.map(piBlock),
          api: 'anthropic-messages',
          provider: 'anthropic',
          model: 'claude-sonnet-4-5',
          stopReason: 'toolUse',
        },
      ]
    return blocks.map((block) =>
      block['type'] === 'tool_result'
        ? {
            role: 'toolResult',
            toolCallId: block['tool_use_id'],
            toolName: 'bash',
            content: textBlocks(block['content']),
            isError: block['is_error'] === true,
          }
        : { role: 'user', content: [piBlock(block)] },
    )
  })
  const head = { type: 'session', version: 3, id: 'S', timestamp: time(), cwd: '/p' }
  return [
    head,
    ...messages.map((message, i) => ({
      type: 'message',
      id: `e${i}`,
      parentId: i === 0 ? null : `e${i - 1}`,
      timestamp: time(),
      message,
    })),
  ]
}

function textBlocks(content: unknown): unknown {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}

function piBlock(block: Line): Line {
  if (block['type'] === 'tool_use')
    return { type: 'toolCall', id: block['id'], name: block['name'], arguments: block['input'] }
  if (block['type'] === 'thinking')
    return { type: 'thinking', thinking: block['thinking'], thinkingSignature: block['signature'] }
  return block
}

function qwenLines(history: readonly Line[]): Line[] {
  return history.map((message, i) => {
    const given = message['parts']
    const parts = (Array.isArray(given) ? given : []) as Line[]
    const type =
      message['role'] === 'model'
        ? 'assistant'
        : parts.some((part) => 'functionResponse' in part)
          ? 'tool_result'
          : 'user'
    return {
      uuid: `q${i}`,
      parentUuid: i === 0 ? null : `q${i - 1}`,
      sessionId: 'S',
      timestamp: time(),
      type,
      cwd: '/p',
      version: '0.24.4',
      message,
      ...(type === 'assistant' && { model: 'qwen3-coder-plus' }),
    }
  })
}

const MAKERS: Readonly<Record<FormatId, (history: readonly Line[], version?: string) => Line[]>> = {
  'claude-code': claudeLines,
  codex: codexLines,
  'copilot-cli': copilotLines,
  pi: piLines,
  'qwen-code': qwenLines,
}

const ANTHROPIC: Line[] = [
  { role: 'user', content: [{ type: 'text', text: 'list the files, ä€😀' }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls {"a": "}{"}' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt\n"b".txt' }] },
  {
    role: 'assistant',
    content: [
      { type: 'tool_use', id: 'toolu_2', name: 'Read', input: { path: 'a.txt' } },
      { type: 'tool_use', id: 'toolu_3', name: 'Read', input: { path: 'b.txt' } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'one' },
      { type: 'tool_result', tool_use_id: 'toolu_3', content: 'two' },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'Two files.' }] },
  { role: 'user', content: [{ type: 'text', text: 'thanks' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Any time.' }] },
]

const CALL = (id: string, args: string) => ({ id, type: 'function', function: { name: 'bash', arguments: args } })
const CHAT: Line[] = [
  { role: 'user', content: 'list the files, ä€😀' },
  { role: 'assistant', content: 'I look.', tool_calls: [CALL('call_1', '{"command":"ls"}')] },
  { role: 'tool', tool_call_id: 'call_1', content: 'a.txt\n"b".txt' },
  { role: 'assistant', content: null, tool_calls: [CALL('call_2', '{"path":"a"}'), CALL('call_3', '{"path":"b"}')] },
  { role: 'tool', tool_call_id: 'call_2', content: 'one' },
  { role: 'tool', tool_call_id: 'call_3', content: 'two' },
  { role: 'assistant', content: 'Two files.' },
  { role: 'user', content: 'thanks' },
  { role: 'assistant', content: 'Any time.' },
]

const message = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
})
const RESPONSES: Line[] = [
  message('user', 'list the files, ä€😀'),
  { type: 'function_call', call_id: 'call_1', name: 'shell', arguments: '{"command":["ls"]}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'a.txt\n"b".txt' },
  { type: 'function_call', call_id: 'call_2', name: 'shell', arguments: '{}' },
  { type: 'function_call', call_id: 'call_3', name: 'shell', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_2', output: 'one' },
  { type: 'function_call_output', call_id: 'call_3', output: 'two' },
  message('assistant', 'Two files.'),
  message('user', 'thanks'),
  message('assistant', 'Any time.'),
]

const GEMINI: Line[] = [
  { role: 'user', parts: [{ text: 'list the files, ä€😀' }] },
  { role: 'model', parts: [{ text: 'I look.' }, { functionCall: { id: 'c1', name: 'ls', args: {} } }] },
  { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'ls', response: { output: 'a.txt\n"b".txt' } } }] },
  {
    role: 'model',
    parts: [
      { functionCall: { id: 'c2', name: 'read', args: {} } },
      { functionCall: { id: 'c3', name: 'read', args: {} } },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'c2', name: 'read', response: { output: 'one' } } },
      { functionResponse: { id: 'c3', name: 'read', response: { output: 'two' } } },
    ],
  },
  { role: 'model', parts: [{ text: 'Two files.' }] },
  { role: 'user', parts: [{ text: 'thanks' }] },
  { role: 'model', parts: [{ text: 'Any time.' }] },
]

const HISTORIES: Readonly<Record<FormatId, readonly Line[]>> = {
  'claude-code': ANTHROPIC,
  codex: RESPONSES,
  'copilot-cli': CHAT,
  pi: ANTHROPIC,
  'qwen-code': GEMINI,
}

export function sample(format: FormatId): Line[] {
  return fileFrom(format, HISTORIES[format])
}

/** A file of the damage experiment: a format, and its records in a list or on lines. */
export interface DamageSample {
  readonly name: string
  readonly format: string
  readonly container: Container
  readonly records: () => readonly unknown[]
}

const CLINE_HEAD = '{"version":1,"updated_at":"2026-01-02","agent":"lead","sessionId":"s1","messages":['
const body = (messages: readonly unknown[], i: number) => ({ messages, n: i })
const PREFIXES = [2, 4, 6, 8, 10].map((n) => CHAT.slice(0, n))

/** Formats that are written and whose records are elements of a document, or conversations. */
const OTHERS: readonly DamageSample[] = [
  {
    name: 'cline',
    format: 'cline',
    container: { head: CLINE_HEAD, between: ',', tail: '],"system_prompt":"be brief"}' },
    records: () => ANTHROPIC.map((message, i) => ({ ...message, ts: 1_794_840_954_656 + i })),
  },
  {
    name: 'ui-messages',
    format: 'ui-messages',
    container: { head: '[\n  ', between: ',\n  ', tail: '\n]\n' },
    records: () => UI,
  },
  {
    name: 'langchain',
    format: 'langchain',
    container: { head: '{"messages":[', between: ', ', tail: ']}' },
    records: () => LANGCHAIN,
  },
  {
    name: 'plain document',
    format: 'plain',
    container: { head: '{"model":"gpt-4o","messages":[', between: ',', tail: '],"temperature":0.5}' },
    records: () => CHAT,
  },
  { name: 'plain lines', format: 'plain', container: LINES, records: () => CHAT },
  { name: 'fine-tuning', format: 'fine-tuning', container: LINES, records: () => PREFIXES.map(body) },
  {
    name: 'sharegpt',
    format: 'sharegpt',
    container: LINES,
    records: () => PREFIXES.map((messages, i) => ({ id: `s${i}`, conversations: messages.map(toTurn) })),
  },
]

function toTurn({ role, content }: Line): Line {
  return { from: role === 'user' ? 'human' : 'gpt', value: content ?? '' }
}

const toolPart = (toolCallId: string, output: string) => ({
  type: 'tool-bash',
  toolCallId,
  state: 'output-available',
  input: { command: 'ls' },
  output,
})
const UI: readonly Line[] = [
  { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'list the files, ä€😀' }] },
  { id: 'm2', role: 'assistant', parts: [{ type: 'step-start' }, toolPart('call_1', 'a.txt\n"b".txt')] },
  { id: 'm3', role: 'assistant', parts: [{ type: 'text', text: 'Two files.' }] },
  { id: 'm4', role: 'user', parts: [{ type: 'text', text: 'thanks' }] },
  { id: 'm5', role: 'assistant', parts: [{ type: 'text', text: 'Any time.' }] },
]

const LANGCHAIN: readonly Line[] = [
  { type: 'human', data: { content: 'list the files, ä€😀' } },
  { type: 'ai', data: { content: '', tool_calls: [{ id: 'call_1', name: 'bash', args: {}, type: 'tool_call' }] } },
  { type: 'tool', data: { content: 'a.txt\n"b".txt', tool_call_id: 'call_1' } },
  { type: 'ai', data: { content: 'Two files.' } },
  { type: 'human', data: { content: 'thanks' } },
  { type: 'ai', data: { content: 'Any time.' } },
]

/** All formats that are written, as the damage experiment takes them. */
export const DAMAGE_SAMPLES: readonly DamageSample[] = [
  ...FORMATS.map((format) => ({ name: format, format, container: LINES, records: () => sample(format) })),
  ...OTHERS,
]
