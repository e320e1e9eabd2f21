/**
 * Shapes that the vendors' own references and SDK types describe: no error, the same value back, and the contract takes
 * them. A field or a kind that we do not know yet must not be called a fault.
 */

import { describe, expect, it } from 'vitest'
import { judge } from '../contract/index.ts'
import { lint, repair } from './untyped-api.ts'

interface Shape {
  readonly provider: string
  readonly dialect: string
  readonly endpoint: 'messages' | 'responses' | 'gemini' | 'converse' | 'chat'
  readonly model: string
  readonly body: Readonly<Record<string, unknown>>
}

const hi = { role: 'user', content: 'hi' }
const CLAUDE = 'claude-sonnet-4-5'

const messages = (model: string, ...list: readonly unknown[]): Shape => ({
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  endpoint: 'messages',
  model,
  body: { messages: list },
})
const answers = (...content: readonly unknown[]) => ({ role: 'assistant', content })
const tells = (...content: readonly unknown[]) => ({ role: 'user', content })
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'a' } }
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }

const responses = (...input: readonly unknown[]): Shape => ({
  provider: 'openai-responses',
  dialect: 'openai-responses',
  endpoint: 'responses',
  model: 'gpt-5.4',
  body: { input },
})
const pair = (kind: string, call: object, output: object) => [
  hi,
  { type: `${kind}_call`, call_id: 'call_1', ...call },
  { type: `${kind}_call_output`, call_id: 'call_1', ...output },
]

const ask = { role: 'user', parts: [{ text: 'hi' }] }
const gemini = (provider: string, model: string, ...contents: readonly unknown[]): Shape => ({
  provider,
  dialect: 'gemini',
  endpoint: 'gemini',
  model,
  body: { contents },
})

const converse = (model: string, ...list: readonly unknown[]): Shape => ({
  provider: 'bedrock',
  dialect: 'bedrock-converse',
  endpoint: 'converse',
  model,
  body: { messages: list, toolConfig: { tools: [] } },
})

const chat = (provider: string, model: string, ...list: readonly unknown[]): Shape => ({
  provider,
  dialect: 'openai-chat',
  endpoint: 'chat',
  model,
  body: { messages: list },
})
const calls = (call: object, more: object = {}) => ({ role: 'assistant', content: null, tool_calls: [call], ...more })
const look = { id: 'abcdefgh1', type: 'function', function: { name: 'look', arguments: '{}' } }
const seen = { role: 'tool', tool_call_id: 'abcdefgh1', content: 'seen' }

const shapes: Readonly<Record<string, Shape>> = {
  'Anthropic: tools of a toolset, a changed image, the state of a browser': messages(
    CLAUDE,
    hi,
    answers({
      type: 'tool_use',
      id: 'a',
      name: 'click',
      input: {},
      toolset_name: 'browser',
      caller: { type: 'direct' },
    }),
    tells(
      {
        type: 'tool_result',
        tool_use_id: 'a',
        toolset_name: 'browser',
        content: [{ type: 'browser_state', tabs: [] }],
      },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' }, transformations: null },
    ),
  ),
  'Anthropic: a turn that was paused goes back as it came, also on newer models': messages(
    'claude-opus-4-8',
    hi,
    answers({ type: 'text', text: 'Looking.' }, search),
  ),
  'Anthropic: the same with what was found so far': messages('claude-sonnet-4-6', hi, answers(search, found)),
  'Anthropic: a program that calls a tool of the client': messages(
    CLAUDE,
    hi,
    answers(
      { ...search, name: 'code_execution', input: { code: 'look()' } },
      {
        type: 'tool_use',
        id: 'a',
        name: 'look',
        input: {},
        caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' },
      },
    ),
    tells({ type: 'tool_result', tool_use_id: 'a', content: 'seen' }),
  ),
  'Anthropic: compaction, search results, uploads, references to tools': messages(
    CLAUDE,
    hi,
    answers({ type: 'compaction', content: 'What was said.' }, { type: 'tool_use', id: 'a', name: 'find', input: {} }),
    tells(
      { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'tool_reference', tool_name: 'look' }] },
      { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'x' }] },
      { type: 'container_upload', file_id: 'file_1' },
    ),
  ),
  'Responses: what a shell printed': responses(
    ...pair(
      'shell',
      { action: { commands: ['ls'] } },
      { output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }] },
    ),
  ),
  'Responses: references without a type': responses(hi, { id: 'rs_1' }, { id: 'msg_1', type: null }, hi),
  'Responses: an output whose call is only referred to': responses(
    hi,
    { id: 'fc_1' },
    { type: 'function_call_output', call_id: 'call_1', output: 'seen' },
  ),
  'Responses: a patch, a computer, free text': responses(
    ...pair(
      'apply_patch',
      { operation: { type: 'delete_file', path: 'a' }, status: 'completed' },
      { status: 'completed' },
    ),
    { type: 'computer_call', id: 'cu_1', call_id: 'call_2', pending_safety_checks: [], status: 'completed' },
    { type: 'computer_call_output', call_id: 'call_2', output: { type: 'computer_screenshot', image_url: 'data:' } },
    { type: 'custom_tool_call', call_id: 'call_3', name: 'write', input: 'free text' },
    { type: 'custom_tool_call_output', call_id: 'call_3', output: [{ type: 'input_text', text: 'ok' }] },
  ),
  'Responses: what OpenAI runs itself': responses(
    hi,
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'a' } },
    { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: 'x', container_id: 'c', outputs: null },
    { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'AAAA' },
    { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 's', tools: [] },
    { type: 'mcp_call', id: 'mcp_1', server_label: 's', name: 'x', arguments: '{}', output: 'y' },
    { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 's', name: 'x', arguments: '{}' },
    { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' },
    hi,
  ),
  'Responses: a program and what it calls': responses(
    hi,
    { type: 'program', id: 'prog_1', call_id: 'call_p', code: 'x', fingerprint: 'f' },
    {
      type: 'function_call',
      call_id: 'call_1',
      name: 'look',
      arguments: '{}',
      caller: { type: 'program', caller_id: 'call_p' },
    },
    {
      type: 'function_call_output',
      call_id: 'call_1',
      output: 'seen',
      caller: { type: 'program', caller_id: 'call_p' },
    },
    { type: 'program_output', id: 'po_1', call_id: 'call_p', result: 'x', status: 'completed' },
  ),
  'Gemini: fields next to media and speech': gemini('gemini', 'gemini-2.5-flash', {
    role: 'user',
    parts: [
      { inlineData: { mimeType: 'audio/wav', data: 'AA==' }, audioTranscription: { text: 'x' }, mediaProcessing: {} },
      { text: 'x', speechMetadata: { speaker: 'a' } },
      { file_data: { file_uri: 'gs://a/b', mime_type: 'video/mp4' }, video_metadata: { fps: 1 } },
    ],
  }),
  'Gemini: tools that Google runs, and a call': gemini(
    'gemini',
    'gemini-3-flash-preview',
    ask,
    {
      role: 'model',
      parts: [
        { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', args: {} }, thoughtSignature: 'AA==' },
        { toolResponse: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', response: {} }, thoughtSignature: 'AA==' },
        { functionCall: { id: 'a', name: 'look', args: {} }, thoughtSignature: 'AA==' },
      ],
    },
    { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'look', response: {}, willContinue: false } }] },
  ),
  'Vertex: an empty text that is there for its signature': gemini(
    'vertex',
    'gemini-3-flash-preview',
    ask,
    { role: 'model', parts: [{ text: '', thoughtSignature: 'AA==' }] },
    ask,
  ),
  'Bedrock: documents, cache points, reasoning, citations, search results': converse(
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    tells(
      { text: 'hi' },
      { document: { name: 'a', format: 'pdf', source: { bytes: 'AA==' }, citations: { enabled: true } } },
      { cachePoint: { type: 'default', ttl: '1h' } },
    ),
    answers(
      { reasoningContent: { reasoningText: { text: 'hm', signature: 'EqQBc2ln' } } },
      { citationsContent: { content: [{ text: 'x' }], citations: [] } },
      { toolUse: { toolUseId: 'a', name: 'look', input: {} } },
    ),
    tells(
      { toolResult: { toolUseId: 'a', content: [{ json: { a: 1 } }, { searchResult: { source: 's', title: 't' } }] } },
      { cachePoint: { type: 'default' } },
    ),
  ),
  'Bedrock: a tool that Amazon runs': converse(
    'us.amazon.nova-2-lite-v1:0',
    tells({ text: 'hi' }),
    answers(
      { toolUse: { toolUseId: 's', name: 'nova_code_interpreter', input: {}, type: 'server_tool_use' } },
      { toolResult: { toolUseId: 's', content: [{ json: {} }], type: 'nova_code_interpreter_result' } },
      { text: 'done' },
    ),
    tells({ text: 'go on' }),
  ),
  'OpenAI: an answer as its SDK stores it': chat(
    'openai',
    'gpt-4o',
    hi,
    calls({ ...look, index: 0 }, { refusal: null, annotations: [], audio: null, function_call: null }),
    { ...seen, content: [{ type: 'text', text: 'seen' }] },
  ),
  'OpenAI: free text, a refusal, a voice, the legacy functions API': chat(
    'openai',
    'gpt-5',
    hi,
    calls({ id: 'abcdefgh1', type: 'custom', custom: { name: 'write', input: 'free text' } }),
    seen,
    answers({ type: 'refusal', refusal: 'No.' }),
    hi,
    { role: 'assistant', audio: { id: 'audio_1' } },
    hi,
    { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
    { role: 'function', name: 'look', content: 'seen' },
  ),
  'Mistral: thoughts, references, images by address, arguments as an object': chat(
    'mistral',
    'magistral-medium-latest',
    tells({ type: 'image_url', image_url: 'https://example.com/a.png' }, { type: 'reference', reference_ids: [1] }),
    answers({ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }], closed: true }, { type: 'text', text: 'ok' }),
    hi,
    calls({ ...look, index: 0, function: { name: 'look', arguments: { a: 1 } } }, { prefix: false }),
    { ...seen, name: 'look' },
  ),
}

describe.each(Object.entries(shapes))('%s', (_name, { provider, dialect, endpoint, model, body }) => {
  const options = { provider, dialect, model }

  it('has no error, is unchanged, and is accepted', () => {
    expect(lint(body, options).filter(({ severity }) => severity === 'error')).toEqual([])
    expect(repair(body, options).value).toBe(body)
    expect(judge({ provider, endpoint, model, body })).toEqual({ accepted: true })
  })
})
