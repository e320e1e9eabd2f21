/**
 * A valid file of each session-file format, and a broken one of the formats that are written. Used by the tests of the
 * formats and by the fuzzer.
 */
import { formats } from '../../src/session-files/formats.ts'
import type { FileInput, SessionFormat } from '../../src/session-files/types.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const bytesOf = (text: string) => encoder.encode(text)
export const textOf = (bytes: Uint8Array) => decoder.decode(bytes)
export const jsonl = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join('\n') + '\n'
export const inputOf = (text: string, path?: string): FileInput => ({ bytes: bytesOf(text), path })
export const byId = (id: string) => formats.find((format) => format.id === id)!

export interface FormatCase {
  readonly format: SessionFormat
  readonly valid: FileInput
  /** A file that the format repairs; absent for formats that are only read. */
  readonly broken?: FileInput
  /** Texts of records that a repair must not touch. */
  readonly untouched?: readonly string[]
}

const NONE = new Uint8Array(0)
export const tables = (rows: FileInput['tables']): FileInput => ({ bytes: NONE, tables: rows })

export const ask = { role: 'user', content: [{ type: 'text', text: 'look' }] }
export const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'ls', input: {} }] })
export const result = (id: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'a.txt' }],
})
export const end = { role: 'assistant', content: [{ type: 'text', text: 'one file' }] }

export const chatAsk = { role: 'user', content: 'look' }
const chatCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
}
const chatResult = { role: 'tool', tool_call_id: 'c1', content: 'a.txt' }
export const chatEnd = { role: 'assistant', content: 'one file' }

export const session = (messages: readonly unknown[]) => ({
  version: 1,
  agent: 'lead',
  sessionId: 's',
  origin: { version: '3.0.65' },
  messages,
  system_prompt: 'x',
})
const stored = { ...use('t1'), id: 'msg_1', ts: 1794840958370, metrics: { inputTokens: 1.0 } }

const toolPart = (state: object) => ({ type: 'tool-ls', toolCallId: 'c1', input: {}, ...state })
const uiAsk = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'look' }] }
const uiAnswer = (state: object) => ({
  id: 'm2',
  role: 'assistant',
  parts: [{ type: 'step-start' }, toolPart(state), { type: 'step-start' }, { type: 'text', text: 'one file' }],
})

const lc = (type: string, data: object) => ({
  type,
  data: { content: '', additional_kwargs: {}, response_metadata: {}, ...data },
})
const lcCall = lc('ai', { tool_calls: [{ id: 'c1', name: 'ls', args: {}, type: 'tool_call' }], invalid_tool_calls: [] })
const lcResult = lc('tool', { content: 'a.txt', tool_call_id: 'c1', name: 'ls' })

const ocRow = (id: string, data: object) => ({ id, session_id: 'ses_1', time_created: 1, data: JSON.stringify(data) })
const ocPart = (id: string, message: string, data: object) => ({
  id,
  message_id: message,
  session_id: 'ses_1',
  data: JSON.stringify(data),
})
const ocTool = (state: object) => ({
  type: 'tool',
  tool: 'bash',
  callID: 'toolu_1',
  state: { input: {}, time: { start: 1 }, ...state },
})
export const ocTables = (state: object) =>
  tables({
    session: [{ id: 'ses_1', title: 't', version: '1.18.33', directory: '/p', parent_id: null, revert: null }],
    message: [
      ocRow('msg_1', { role: 'user' }),
      ocRow('msg_2', { role: 'assistant', providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }),
    ],
    part: [ocPart('prt_1', 'msg_1', { type: 'text', text: 'look' }), ocPart('prt_2', 'msg_2', ocTool(state))],
  })

const gooseRow = (id: number, role: string, content: readonly unknown[]) => ({
  id,
  session_id: 's',
  role,
  content_json: JSON.stringify(content),
  created_timestamp: id,
  metadata_json: '{"agentVisible":true}',
})
const crushRow = (id: string, role: string, parts: readonly unknown[], created_at: number) => ({
  id,
  session_id: 's',
  role,
  parts: JSON.stringify(parts),
  created_at,
  model: 'gpt-4.1',
  provider: 'openai',
})

export const gemini = (extra: readonly unknown[]) => [
  { sessionId: 's', projectHash: 'h', startTime: 't', lastUpdated: 't', kind: 'main' },
  { id: 'u1', type: 'user', content: [{ text: 'look' }] },
  { id: 'g1', type: 'gemini', content: 'I look', model: 'gemini-2.5-flash' },
  {
    id: 'g1',
    type: 'gemini',
    content: 'I look',
    model: 'gemini-2.5-flash',
    toolCalls: [
      {
        id: 'c1',
        name: 'ls',
        args: {},
        result: [{ functionResponse: { id: 'c1', name: 'ls', response: { output: 'a' } } }],
        status: 'success',
      },
    ],
  },
  ...extra,
]

const loop = (event: object) => ({ type: 'context.append_loop_event', event })
const vscodeHead = { kind: 0, v: { version: 3, sessionId: 's', requests: [] } }
const vscodePush = {
  kind: 2,
  k: ['requests'],
  v: [{ requestId: 'r', message: { text: 'look' }, response: [{ value: 'one file' }] }],
}

const event = (n: number, value: object): [string, Uint8Array] => [
  `events/event-0000${n}-e${n}.json`,
  bytesOf(JSON.stringify({ id: `e${n}`, ...value })),
]
export const hands = (error: object): FileInput => ({
  ...inputOf(JSON.stringify({ id: 's', leaf_event_id: 'e3', agent: { llm: { model: 'gpt-4.1' } } }), 'base_state.json'),
  siblings: new Map([
    event(1, { kind: 'MessageEvent', llm_message: { role: 'user', content: [{ type: 'text', text: 'look' }] } }),
    event(2, {
      kind: 'ActionEvent',
      parent_id: 'e1',
      tool_name: 'ls',
      tool_call_id: 'c1',
      tool_call: { id: 'c1', name: 'ls', arguments: '{}' },
      llm_response_id: 'r',
    }),
    event(3, { kind: 'AgentErrorEvent', tool_name: 'ls', tool_call_id: 'c1', error: 'no', ...error }),
  ]),
})

export const cases: readonly FormatCase[] = [
  {
    format: byId('cline'),
    valid: inputOf(JSON.stringify(session([ask, stored, result('t1'), end]), null, 2), '/s/s.messages.json'),
    broken: inputOf(JSON.stringify(session([ask, stored, result('t1'), use('t2')]), null, 2), '/s/s.messages.json'),
    untouched: ['"id": "msg_1"', '"ts": 1794840958370', '"system_prompt": "x"'],
  },
  {
    format: byId('ui-messages'),
    valid: inputOf(JSON.stringify([uiAsk, uiAnswer({ state: 'output-available', output: 'a.txt' })])),
    broken: inputOf(
      JSON.stringify([
        uiAsk,
        uiAnswer({ state: 'input-available' }),
        { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'on' }] },
      ]),
    ),
    untouched: [JSON.stringify(uiAsk), '"state":"output-error"', '"id":"m3"'],
  },
  {
    format: byId('fine-tuning'),
    valid: inputOf(
      jsonl({ messages: [chatAsk, chatCall, chatResult, chatEnd] }, { messages: [chatAsk, chatCall], tools: [] }),
    ),
    broken: inputOf(
      `{"messages":[ {"role":"user","content":"k\\u0065pt"} , ${JSON.stringify(chatCall)}, ${JSON.stringify(chatEnd)}],"n":1.0}\n${jsonl({ messages: [chatAsk, chatEnd] })}`,
    ),
    untouched: ['{"role":"user","content":"k\\u0065pt"}', '"n":1.0', JSON.stringify({ messages: [chatAsk, chatEnd] })],
  },
  {
    format: byId('sharegpt'),
    valid: inputOf(
      JSON.stringify([
        {
          conversations: [
            { from: 'human', value: 'look' },
            { from: 'function_call', value: '{"name":"ls","arguments":{}}' },
            { from: 'observation', value: 'a' },
            { from: 'gpt', value: 'one' },
          ],
        },
      ]),
    ),
    broken: inputOf(
      JSON.stringify([
        {
          conversations: [
            { from: 'human', value: 'look' },
            { from: 'function_call', value: '{"name":"ls","arguments":{}}' },
            { from: 'gpt', value: 'one' },
          ],
        },
      ]),
    ),
    untouched: [JSON.stringify({ from: 'human', value: 'look' }), '"from":"observation"'],
  },
  {
    format: byId('plain'),
    valid: inputOf(
      JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 1.0, messages: [ask, use('t1'), result('t1'), end] }),
    ),
    broken: inputOf(
      `{"max_tokens": 1.0, "messages": [${JSON.stringify(ask)} ,${JSON.stringify(use('t1'))},${JSON.stringify(end)}]}`,
    ),
    untouched: ['{"max_tokens": 1.0', JSON.stringify(ask)],
  },
  {
    format: byId('langchain'),
    valid: inputOf(JSON.stringify([lc('human', { content: 'look' }), lcCall, lcResult, lc('ai', { content: 'one' })])),
    broken: inputOf(JSON.stringify([lc('human', { content: 'look' }), lcCall, lc('human', { content: 'on' })])),
    untouched: [JSON.stringify(lc('human', { content: 'look' }))],
  },
  { format: byId('opencode'), valid: ocTables({ status: 'completed', output: 'a' }) },
  {
    format: byId('goose'),
    valid: tables({
      sessions: [{ id: 's', name: 'n', working_dir: '/p', provider_name: 'anthropic' }],
      messages: [
        gooseRow(1, 'user', [{ type: 'text', text: 'look' }]),
        gooseRow(2, 'assistant', [
          { type: 'toolRequest', id: 'toolu_1', toolCall: { status: 'success', value: { name: 'ls', arguments: {} } } },
        ]),
        gooseRow(3, 'user', [
          {
            type: 'toolResponse',
            id: 'toolu_1',
            toolResult: { status: 'success', value: [{ type: 'text', text: 'a' }] },
          },
        ]),
      ],
    }),
  },
  {
    format: byId('crush'),
    valid: tables({
      sessions: [{ id: 's', title: 't', summary_message_id: null }],
      messages: [
        crushRow('1', 'user', [{ type: 'text', data: { text: 'look' } }], 1),
        crushRow(
          '2',
          'assistant',
          [{ type: 'tool_call', data: { id: 'c1', name: 'ls', input: '{}', finished: true } }],
          2,
        ),
        crushRow(
          '3',
          'tool',
          [{ type: 'tool_result', data: { tool_call_id: 'c1', content: 'a', is_error: false } }],
          3,
        ),
      ],
    }),
  },
  { format: byId('gemini-cli'), valid: inputOf(jsonl(...gemini([]))) },
  {
    format: byId('kimi-code'),
    valid: inputOf(
      jsonl(
        { type: 'metadata', protocol_version: '1.5' },
        { type: 'context.append_message', message: { role: 'user', content: [{ type: 'text', text: 'look' }] } },
        loop({ type: 'step.begin' }),
        loop({ type: 'content.part', part: { type: 'text', text: 'I look' } }),
        loop({ type: 'tool.call', toolCallId: 'Bash:1', name: 'Bash', args: {} }),
        loop({ type: 'tool.result', toolCallId: 'Bash:1', result: { output: 'a' } }),
        loop({ type: 'step.end' }),
      ),
    ),
  },
  { format: byId('openhands'), valid: hands({ parent_id: 'e2' }) },
  {
    format: byId('continue'),
    valid: inputOf(
      JSON.stringify({
        sessionId: 's',
        title: 't',
        workspaceDirectory: '/p',
        history: [
          { message: chatAsk, contextItems: [] },
          {
            message: { role: 'assistant', content: 'I look', toolCalls: chatCall.tool_calls },
            toolCallStates: [{ toolCallId: 'c1', status: 'done', output: [{ content: 'a' }] }],
          },
        ],
      }),
    ),
  },
  {
    format: byId('amp'),
    valid: inputOf(
      JSON.stringify({
        v: 1,
        id: 'T-1',
        messages: [
          ask,
          use('t1'),
          { role: 'user', content: [{ type: 'tool_result', toolUseID: 't1', run: { status: 'done', result: 'a' } }] },
        ],
      }),
    ),
  },
  {
    format: byId('droid'),
    valid: inputOf(
      jsonl(
        { type: 'session_start', id: 's', title: 't', cwd: '/p', version: 2 },
        { type: 'message', id: 'a', message: ask },
        { type: 'message', id: 'b', parentId: 'a', message: end },
      ),
    ),
  },
  {
    format: byId('vscode-copilot-chat'),
    valid: inputOf(jsonl(vscodeHead, vscodePush), '/chatSessions/s.jsonl'),
    broken: inputOf(jsonl(vscodePush), '/chatSessions/s.jsonl'),
    untouched: [JSON.stringify(vscodePush)],
  },
  {
    format: byId('openai-agents'),
    valid: tables({
      agent_messages: [
        { id: 1, session_id: 's', message_data: '{"role":"user","content":"look"}' },
        {
          id: 2,
          session_id: 's',
          message_data: '{"type":"function_call","call_id":"c1","name":"ls","arguments":"{}"}',
        },
        { id: 3, session_id: 's', message_data: '{"type":"function_call_output","call_id":"c1","output":"a"}' },
      ],
    }),
  },
  {
    format: byId('open-webui'),
    valid: inputOf(
      JSON.stringify([
        {
          id: 'c',
          title: 't',
          chat: {
            history: {
              messages: {
                a: { id: 'a', parentId: null, role: 'user', content: 'look' },
                b: { id: 'b', parentId: 'a', role: 'assistant', content: 'one' },
              },
              currentId: 'b',
            },
          },
        },
      ]),
    ),
  },
  {
    format: byId('librechat'),
    valid: inputOf(
      JSON.stringify({
        conversationId: 'c',
        title: 't',
        messages: [
          { messageId: '1', parentMessageId: '0', isCreatedByUser: true, text: 'look' },
          {
            messageId: '2',
            parentMessageId: '1',
            isCreatedByUser: false,
            content: [{ type: 'tool_call', tool_call: { id: 'c1', name: 'ls', args: '{}', output: 'a' } }],
          },
        ],
      }),
    ),
  },
]
