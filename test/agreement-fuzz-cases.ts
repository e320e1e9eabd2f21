/**
 * Differences that new seeds found, one or two in a million requests, each with the providers that reject it and those
 * that do not.
 */
import { assistant, call, calls, camel, chat, items, type Settled, tool, user } from './agreement-cases.ts'

const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
const MISTRAL = 'mistral-large-latest'
const look = { name: 'look', arguments: '{}' }
const text = (words: string) => ({ type: 'text', text: words })

const calling = (...calls: readonly object[]) => ({ role: 'assistant', content: '', tool_calls: calls })
const converse = (rejected: boolean, ...history: readonly unknown[]): Settled => ({
  provider: 'bedrock',
  dialect: 'bedrock-converse',
  model: 'us.anthropic.claude-sonnet-4-6-v1:0',
  history,
  body: { toolConfig: { tools: [] } },
  rejected,
})

const userBlocks = (...content: readonly unknown[]) => ({ role: 'user', content })
const uses = (...ids: readonly unknown[]) => ({
  role: 'assistant',
  content: ids.map((toolUseId) => ({ toolUse: { toolUseId, name: 'look', input: {} } })),
})
const result = (toolUseId: unknown, more: object = {}) => ({
  toolResult: { toolUseId, content: [{ text: 'found' }], ...more },
})
const served = (name: string) => ({
  role: 'assistant',
  content: [
    { toolUse: { toolUseId: 's', name, input: {}, type: 'server_tool_use' } },
    result('s', { type: 'nova_code_interpreter_result' }),
    { text: 'ok' },
  ],
})

const messages = (model: string, rejected: boolean, ...history: readonly unknown[]): Settled => ({
  provider: 'anthropic',
  dialect: 'anthropic-messages',
  model,
  history,
  rejected,
})

const use = (id: unknown) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] })
const answer = (id: unknown) => ({ type: 'tool_result', tool_use_id: id, content: 'found' })
const thought = { type: 'thinking', thinking: 'hm', signature: 'EqQBc2ln' }
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }

const vertex = (rejected: boolean, ...history: readonly unknown[]): Settled => ({
  provider: 'vertex',
  dialect: 'gemini',
  model: 'gemini-2.5-pro',
  history,
  rejected,
})

export const finds: Readonly<Record<string, Settled>> = {
  'a field of a call that has no id, Mistral': chat(
    'mistral',
    MISTRAL,
    false,
    user(),
    calling({ type: 'function', function: look, extra: 1 }),
    tool(''),
  ),
  'a call under another name, Mistral': chat(
    'mistral',
    MISTRAL,
    false,
    user(),
    calling({ id: 'abcdefID1', type: 'function', content: look }),
    tool('abcdefID1'),
  ),
  'an invalid id under another name, Mistral': chat('mistral', MISTRAL, true, user(), calling(call('')), {
    role: 'tool',
    toolCallId: 7,
    content: 'found',
  }),
  'calls of the user under another name, Mistral': chat('mistral', MISTRAL, true, {
    ...user(),
    toolCalls: [call('abcdefID1')],
  }),
  'an id that is not read and not legal, Mistral on vLLM': chat(
    'vllm',
    'mistralai/Mistral-7B-Instruct-v0.3',
    false,
    user(),
    calling(call('call00000'), call('call00001')),
    { role: 'tool', toolCallId: '__proto__', content: 'found' },
    tool('call00001'),
  ),
  'a tool that calls, at the very beginning, Mistral on vLLM': chat(
    'vllm',
    'mistralai/Mistral-7B-Instruct-v0.3',
    true,
    { role: 'tool', content: [], tool_calls: [call('call00000')] },
    user(),
  ),
  'no content beside an invalid call of the legacy functions API, OpenAI': chat('openai', 'gpt-5', true, user(), {
    role: 'assistant',
    function_call: ' ',
  }),
  'nothing beside an invalid call of the legacy functions API, Kimi': chat('moonshot', 'moonshot-v1-8k', true, user(), {
    role: 'assistant',
    content: '',
    function_call: 'look',
  }),
  'reasoning that is no text, DeepSeek': chat(
    'deepseek',
    'deepseek-reasoner',
    false,
    user(),
    { ...calling(call('a')), reasoning_content: [] },
    tool('a'),
  ),
  'calls under another name and no content, and a result of the legacy functions API, OpenAI': chat(
    'openai',
    'gpt-5',
    true,
    user(),
    { role: 'assistant', content: null, toolCalls: [call('a')] },
    { role: 'function', callId: 'a', content: 'found' },
  ),
  'no call in a list under another name, and no content, OpenAI': chat('openai', 'gpt-5', true, user(), {
    role: 'assistant',
    content: null,
    toolCalls: ['look'],
  }),
  'a call without an id and two results without one, DeepSeek Messages': {
    ...messages('deepseek-chat', false, user(), use(7), user([answer(7), answer(7)])),
    provider: 'deepseek',
  },
  'a call without an id and none for it, DeepSeek Messages': {
    ...messages('deepseek-chat', true, user(), use(7), user()),
    provider: 'deepseek',
  },
  'an invalid cache mark on thinking': messages(
    'claude-sonnet-4-5',
    true,
    user(),
    { role: 'assistant', content: [{ ...thought, cache_control: 7 }, text('ok')] },
    user(),
  ),
  'a role that is no word, after reasoning': items('openai-responses', false, user(), reasoning, {
    role: true,
    type: 'hi',
  }),
  'an output of no id and a search for tools with an invalid id, DeepSeek': items(
    'deepseek',
    false,
    { type: 'tool_search_call', call_id: true },
    { type: 'function_call_output', output: 'found' },
  ),
  'an empty answer before one that thinks and calls': {
    ...messages(
      'claude-sonnet-4-5',
      false,
      user(),
      { role: 'assistant', content: '' },
      { role: 'assistant', content: [thought, ...use('a').content] },
      user([answer('a')]),
    ),
    body: { thinking: { type: 'enabled', budget_tokens: 1024 } },
  },
  'a cache mark on one space, an older Claude': messages(
    'claude-3-5-haiku-latest',
    false,
    user(),
    { role: 'assistant', content: [{ ...text(' '), cache_control: { type: 'ephemeral' } }, text('ok')] },
    user(),
  ),
  'a cache mark on one space, a newer Claude': messages(
    'claude-opus-4-6',
    true,
    user(),
    { role: 'assistant', content: [{ ...text(' '), cache_control: { type: 'ephemeral' } }, text('ok')] },
    user(),
  ),
  'a thought of an empty text, Vertex': vertex(
    true,
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: [{ text: '', thought: true }, { text: 'ok' }] },
    { role: 'user', parts: [{ text: 'go' }] },
  ),
  'a part that is no list and empty, Vertex': vertex(true, { role: 'user', parts: { text: '' } }),
  'a result without an id, and another of the id it lacks, Bedrock': converse(
    true,
    userBlocks({ text: 'go' }),
    uses('a', 'a'),
    userBlocks(result('a'), result('')),
  ),
  // The API reference requires an id.
  'calls without ids, one result without one, Bedrock': converse(
    true,
    userBlocks({ text: 'go' }),
    uses(null, null),
    userBlocks(result('a'), result(null)),
  ),
  'the result of a tool that was never called, Bedrock': converse(
    true,
    userBlocks(result('a', { type: 'x' }), { text: 'go' }),
  ),
  'a tool of the provider with an unknown name, Bedrock': converse(
    true,
    userBlocks({ text: 'go' }),
    served(' '),
    userBlocks({ text: 'go' }),
  ),
  'a picture, a failure without words and the true result of one call, Bedrock': converse(
    true,
    userBlocks({ text: 'go' }),
    uses('a'),
    userBlocks(
      { image: { format: 'gif', source: { bytes: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' } } },
      result('a', { content: [{ text: '' }], status: 'error' }),
      result('a'),
    ),
  ),
  'a tool of the provider, Bedrock': converse(
    false,
    userBlocks({ text: 'go' }),
    served('look'),
    userBlocks({ text: 'go' }),
  ),
  'two prompts, Perplexity': chat('perplexity', 'sonar', true, user(), user()),
  'two prompts with a system message between, Perplexity': chat(
    'perplexity',
    'sonar',
    false,
    user(),
    { role: 'system', content: 'be short' },
    user(),
  ),
  'a call of the user, and an answer that begins with its result, Bedrock': converse(
    true,
    { ...uses('a'), role: 'user' },
    { role: 'assistant', content: [result('a'), { text: 'ok' }] },
    userBlocks({ text: 'go on' }),
  ),
  'the result of a tool that Amazon ran, before its call, Bedrock': converse(
    true,
    userBlocks({ text: 'go' }),
    { role: 'assistant', content: [...served('run').content.slice(1, 2), ...served('run').content.slice(0, 1)] },
    userBlocks({ text: 'go on' }),
  ),
  'a role on an output that is no message, OpenRouter': {
    provider: 'openrouter',
    dialect: 'openai-responses',
    model: 'deepseek/deepseek-v4',
    history: [
      { role: 'user', content: 'go' },
      { type: 'tool_search_output', role: 'tool', execution: 'server', tools: [] },
    ],
    rejected: false,
  },
  'a prompt right after a result, Perplexity': chat(
    'perplexity',
    'sonar',
    false,
    user(),
    calls('a'),
    tool('a'),
    user(),
  ),
  'an empty prompt, MiMo': chat('mimo', 'mimo-v2.5', false, user('')),
  'an empty answer, MiMo': chat('mimo', 'mimo-v2.5', true, user(), assistant(''), user()),
  'a picture in a result that answers nothing, MiMo': chat('mimo', 'mimo-v2.5', true, user(), {
    ...tool('a'),
    content: [picture],
  }),
  'a picture without a type in a result, MiMo': chat('mimo', 'mimo-v2.5', true, user(), calls('a'), {
    ...tool('a'),
    content: [{ image_url: picture.image_url }],
  }),
  'an empty text beside calls under another name, MiMo': chat('mimo', 'mimo-v2.5', true, user(), {
    ...camel,
    content: [{ type: 'text', text: '' }],
  }),
  'an empty text beside calls under another name, xAI': chat('xai', 'grok-4.3', true, user(), {
    ...camel,
    content: [{ type: 'text', text: '' }],
  }),
  'a call of the legacy functions API and a system message at the end, Copilot': chat(
    'copilot',
    'claude-opus-4.6',
    true,
    user(),
    { role: 'assistant', content: 'ok', function_call: look },
    { role: 'system', content: 'be short' },
  ),
}
