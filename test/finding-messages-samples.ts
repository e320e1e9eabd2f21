/**
 * Histories for the messages that the contract's tables do not lead to: provider, history in notation or native,
 * options.
 */
export interface Sample {
  /** By id, or with the constraints of a provider of one's own. */
  readonly provider: string | Readonly<Record<string, { readonly evidence: 'documented' }>>
  readonly history: string | readonly unknown[]
  readonly dialect?: string
  readonly options?: object
  readonly body?: object
}

const user = (content: unknown = 'go') => ({ role: 'user', content })
const assistant = (content: unknown, more: object = {}) => ({ role: 'assistant', content, ...more })
const toolUse = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
const toolResult = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }
const call = (id: string, input: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name: 'look', ...(input === undefined ? {} : { arguments: input }) },
})
const calls = (...list: readonly unknown[]) => assistant(null, { tool_calls: list })
const tool = (id: string | undefined, content: unknown = 'ok') => ({
  role: 'tool',
  ...(id === undefined ? {} : { tool_call_id: id }),
  content,
})
const native = [user(), calls(call('call_0')), tool('call_0')]
const switched = [assistant([toolUse]), user([toolResult])]
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' }
const thoughts = `
  user: hi
  assistant: think! one | hello
  user: weather?
  assistant: think! two | sunny
  user: thanks`
const gemini = {
  user: { role: 'user', parts: [{ text: 'go' }] },
  call: (name: string, thoughtSignature?: string) => ({
    functionCall: { name, args: {} },
    ...(thoughtSignature && { thoughtSignature }),
  }),
  answer: (...names: readonly string[]) => ({
    role: 'user',
    parts: names.map((name) => ({ functionResponse: { name, response: { ok: true } } })),
  }),
}
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQ=' }
const PNG = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const converse = (role: string, ...content: readonly unknown[]) => ({ role, content })
const document = { document: { name: 'a', format: 'pdf', source: { bytes: 'aGk=' } } }

export const samples: readonly Sample[] = [
  {
    provider: 'openai-responses',
    history: [
      user(),
      { type: 'reasoning', encrypted_content: 'gAAAAB' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
    ],
  },
  {
    provider: 'openrouter',
    history: [user([{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }])],
    options: { rejectedBy: ['cache-control-unsupported'] },
  },
  { provider: 'llamacpp', history: [user(), calls(call('call_1', [1])), tool('call_1')] },
  {
    provider: 'bedrock',
    history: [
      converse('user', { text: 'go' }),
      converse('assistant', { toolUse: { toolUseId: 'a', name: 'look' } }),
      converse('user', { toolResult: { toolUseId: 'a', content: [{ text: 'ok' }] } }),
    ],
  },
  { provider: 'openai-responses', history: [user(), { type: 'function_call_output', output: 'ok' }] },
  {
    provider: 'openai-responses',
    history: [
      user(),
      { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      user(),
    ],
  },
  { provider: 'openai', history: [...native, ...switched, user()] },
  { provider: 'openai', history: [...native, assistant([thinking, toolUse]), switched[1], user()] },
  { provider: 'openai', history: [{ uuid: '1', message: user() }, user()] },
  { provider: 'openai', history: [user(), ...switched], options: { convert: true }, dialect: 'openai-chat' },
  { provider: 'anthropic', history: [user(), ...switched, ...switched] },
  { provider: 'anthropic', history: [user(), switched[0]!, switched[0]!, switched[1]!] },
  { provider: 'openai', history: [user(), assistant('hi', { tool_calls: ['look'] }), user()] },
  { provider: 'openai', history: [user([{ type: 'text', text: 7 }])] },
  { provider: 'anthropic', history: [user([toolUse])] },
  { provider: 'openai', history: [{ ...user(), tool_calls: [call('call_1')] }] },
  { provider: 'openai', history: [...native.slice(0, 2), tool('call_0', 'a\u0000b')] },
  { provider: 'bedrock', history: [converse('user', document, document, { text: 'compare' })] },
  { provider: 'bedrock', history: [converse('user', document)] },
  { provider: 'bedrock', history: [converse('user', { document: { name: 'a_b.pdf' } }, { text: 'read' })] },
  {
    provider: 'gemini',
    history: `
      user: weather?
      assistant: I look
      assistant: call a weather
      tool: result a sunny`,
  },
  { provider: 'mistral', history: [user(Array.from({ length: 9 }, () => PNG))], options: { strict: true } },
  {
    provider: 'openai-responses',
    history: [{ type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'hi' }] }],
    options: { rejectedBy: ['item-without-reasoning'] },
  },
  {
    provider: 'anthropic',
    history: [user([{ type: 'document', source: PDF }])],
    options: { rejectedBy: ['pdf-too-many-pages'] },
  },
  {
    provider: 'anthropic',
    history: [user([{ type: 'document', source: PDF }])],
    options: { rejectedBy: ['document-unreadable'] },
  },
  { provider: 'mistral', history: [user([PNG])], options: { rejectedBy: ['image-unsupported'] } },
  {
    provider: 'openai-responses',
    history: [user()],
    body: { previous_response_id: 'resp_1' },
    options: { rejectedBy: ['previous-response-not-found'] },
  },
  {
    provider: 'openai-responses',
    history: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAsealed' }, user()],
    options: { rejectedBy: ['reasoning-encrypted-content-invalid'] },
  },
  { provider: 'vllm', history: [user(), { role: 'system', content: 'x' }, user()], options: { model: 'mistral-7b' } },
  { provider: 'vllm', history: [assistant('hi'), user()], options: { model: 'mistral-7b' } },
  { provider: 'openai', history: [{ content: 'hi' }] },
  { provider: 'anthropic', history: [{ content: 'hi' }] },
  {
    provider: 'anthropic',
    history: [
      user(),
      assistant([{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }]),
      user(),
      assistant('ok'),
      user(),
    ],
  },
  { provider: 'anthropic', history: thoughts, options: { rejectedBy: ['thinking-block-modified'] } },
  { provider: 'anthropic', history: thoughts, options: { rejectedBy: ['thinking-bound-to-other-prefix'] } },
  { provider: 'anthropic', history: thoughts, options: { rejectedBy: ['thinking-chain-broken'] } },
  {
    provider: 'anthropic',
    history: [
      user(),
      assistant([
        { type: 'text', text: '' },
        { type: 'text', text: 'a' },
      ]),
      user(),
      assistant([thinking, { type: 'text', text: 'b' }]),
      user(),
    ],
    options: { model: 'claude-opus-5-5' },
  },
  {
    provider: 'gemini',
    history: [
      gemini.user,
      { role: 'model', parts: [gemini.call('a'), gemini.call('b', 'c2ln')] },
      gemini.answer('a', 'b'),
    ],
    options: { model: 'gemini-3-pro' },
  },
  {
    provider: 'gemini',
    history: [
      gemini.user,
      { role: 'model', parts: [gemini.call('a', 'c2ln')] },
      { role: 'model', parts: [gemini.call('b')] },
      gemini.answer('a', 'b'),
    ],
    options: { model: 'gemini-3-pro' },
  },
  { provider: 'llamacpp', history: [user(), calls(call('call_1', '')), tool('call_1')] },
  { provider: 'llamacpp', history: [user(), calls(call('call_1', {})), tool('call_1')] },
  { provider: 'openai', history: [user(), calls(call('call_1', undefined)), tool('call_1')] },
  { provider: 'openai', history: [user(), calls(call('call_1')), tool(undefined)] },
  { provider: 'openai', history: [user(), calls(call('call_1')), tool('call_1'), tool(undefined, 'more')] },
  { provider: 'anthropic', history: [user([{ type: 'tool_result', content: 'ok' }])] },
  {
    provider: 'bedrock',
    history: [
      converse('user', { text: 'go' }),
      converse('assistant', { text: 'I look' }, { toolUse: { toolUseId: 'a', name: 'look', input: {} } }),
      converse('user', { toolResult: { toolUseId: 'a', content: [{ text: 'ok' }] } }),
    ],
    options: { rejectedBy: ['tool-call-mixed-with-text'] },
  },
  {
    provider: 'vertex',
    history: [
      gemini.user,
      { role: 'model', parts: [gemini.call('a'), gemini.call('b')] },
      gemini.answer('a'),
      gemini.answer('b'),
    ],
  },
  {
    provider: 'bedrock',
    history: [
      converse('user', { text: 'go' }),
      converse('assistant', { toolUse: { toolUseId: 'a', name: 'look', input: {} } }),
      converse('user', { toolResult: { toolUseId: 'a', status: 'error', content: [] } }),
    ],
  },
  {
    provider: 'openai-responses',
    history: [
      user(),
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', id: 'fc_1', call_id: 'call_1', output: 'ok' },
    ],
  },
  { provider: 'openai', history: [user(), tool('call_1'), calls(call('call_1')), user()] },
  { provider: 'anthropic', history: [user(), user([toolResult]), switched[0]!, user()] },
  {
    provider: 'anthropic',
    history: [
      user(),
      assistant([toolUse, { ...toolUse, id: 'toolu_2' }]),
      user([toolResult]),
      user([{ ...toolResult, tool_use_id: 'toolu_2' }]),
    ],
  },
  {
    provider: 'gemini',
    history: [
      gemini.user,
      { role: 'model', parts: [gemini.call('a')] },
      { role: 'user', parts: [{ functionResponse: { name: 'a' } }] },
    ],
  },
  { provider: 'openai', history: [user(), calls(call('call_1')), tool('call_1'), user(), tool('call_1', 'again')] },
  {
    provider: 'bedrock',
    history: [
      converse('user', { text: 'go' }),
      converse('assistant', { toolUse: { toolUseId: 'a', name: 'look', input: {} } }),
      converse('user', { toolResult: { toolUseId: 'a', content: [{ text: 'ok' }] } }),
    ],
    body: { toolConfig: { tools: [] } },
  },
  { provider: 'gemini', history: [gemini.user, { role: 'user', parts: [{ functionResponse: { response: {} } }] }] },
  {
    provider: 'openai',
    history: [user(), { role: 'tool', content: null, tool_calls: [call('call_1')] }, tool('call_1')],
  },
]
