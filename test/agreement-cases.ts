/**
 * Differences between lint and the contract that were settled, each with the providers that reject it and those that do
 * not.
 */
export interface Settled {
  readonly provider: string
  readonly dialect: string
  readonly model: string
  readonly history: readonly unknown[]
  readonly body?: Readonly<Record<string, unknown>>
  readonly rejected: boolean
}

export const user = (content: unknown = 'go') => ({ role: 'user', content })
export const assistant = (content: unknown = 'ok') => ({ role: 'assistant', content })
export const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } })
export const calls = (...ids: readonly string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map(call) })
export const tool = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'found' })
export const chat = (provider: string, model: string, rejected: boolean, ...history: readonly unknown[]): Settled => ({
  provider,
  dialect: 'openai-chat',
  model,
  history,
  rejected,
})
export const items = (provider: string, rejected: boolean, ...history: readonly unknown[]): Settled => ({
  provider,
  dialect: 'openai-responses',
  model: 'gpt-5',
  history,
  rejected,
})
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'found' })
const item = (id: string) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' })
export const camel = { role: 'assistant', content: 'hm', toolCalls: [call('c00000001')] }
const old = { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } }
const untyped = user([{ text: 'go' }])
const response = (name: string) => ({ functionResponse: { name, response: { output: 'found' } } })
const turn = { role: 'model', parts: ['a', 'b'].map((name) => ({ functionCall: { name, args: {} } })) }
const contents = (provider: string, rejected: boolean, ...history: readonly unknown[]): Settled => ({
  provider,
  dialect: 'gemini',
  model: 'gemini-2.5-flash',
  history: [{ role: 'user', parts: [{ text: 'go' }] }, ...history],
  rejected,
})

export const settled: Readonly<Record<string, Settled>> = {
  'a part without a type, OpenAI': chat('openai', 'gpt-5', true, untyped),
  'a part without a type, GLM': chat('zhipu', 'glm-5', false, untyped),
  'a part without a type, DeepSeek': chat('deepseek', 'deepseek-chat', true, untyped),
  'answered calls under another name, DashScope': chat('dashscope', 'qwen-max', true, user(), camel, tool('c00000001')),
  'answered calls under another name, Groq': chat('groq', 'llama-3.3-70b', false, user(), camel, tool('c00000001')),
  'calls under another name that nothing answers, OpenAI': chat('openai', 'gpt-5', false, user(), camel, user()),
  'an output before its call': items('openai', false, user(), output('a'), item('a')),
  'two outputs for one call': items('openai', false, user(), item('a'), output('a'), output('a')),
  'two calls of one id, one output': items('openai', false, user(), item('a'), item('a'), output('a')),
  'an output of no call': items('openai', true, user(), output('a')),
  'an unknown role, Responses': items('openai', true, { role: 'robot', content: 'beep' }),
  'an unknown role, xAI Responses': items('xai', false, { role: 'robot', content: 'beep' }),
  'a result without an id, Mistral': chat('mistral', 'mistral-large', false, user(), calls('c00000001'), {
    role: 'tool',
    content: 'found',
  }),
  'a foreign id, Mistral on vLLM': chat('vllm', 'mistral-7b', true, user(), calls('a'), tool('a')),
  'a foreign id, Mistral in llama.cpp': chat('llamacpp', 'mistral-7b', false, user(), calls('a'), tool('a')),
  'a call without a result, Mistral in llama.cpp': chat(
    'llamacpp',
    'mistral-7b',
    false,
    user(),
    calls('a'),
    assistant(),
    user(),
  ),
  'two turns with a round between, Mistral in llama.cpp': chat(
    'llamacpp',
    'mistral-7b',
    true,
    user(),
    calls('a'),
    tool('a'),
    user(),
  ),
  'two assistant turns in the middle, Ollama': chat('ollama', 'qwen3', false, user(), assistant(), assistant(), user()),
  'two assistant turns at the end, Ollama': chat('ollama', 'qwen3', true, user(), assistant(), assistant()),
  'a result without its call, Cerebras': chat('cerebras', 'gpt-oss-120b', false, user(), tool('a')),
  'a foreign id by way of OpenRouter, Mistral': chat(
    'openrouter',
    'mistralai/mistral-large',
    true,
    user(),
    calls('a'),
    tool('a'),
  ),
  'no result by way of OpenRouter, xAI': chat('openrouter', 'x-ai/grok-4', false, user(), calls('a'), user()),
  'no result by way of OpenRouter, OpenAI': chat('openrouter', 'openai/gpt-5', true, user(), calls('a'), user()),
  'a legacy function call without other content, xAI': chat('xai', 'grok-4.3', true, user(), old, user()),
  'a prompt with only a legacy function call, xAI': chat('xai', 'grok-4.3', true, {
    ...old,
    role: 'user',
  }),
  'a system message of calls under another name and nothing else, Kimi': chat(
    'moonshot',
    'moonshot-v1-8k',
    true,
    user(),
    {
      ...camel,
      role: 'system',
      content: null,
    },
  ),
  'thinking asked for, DeepSeek': {
    ...chat('deepseek', 'deepseek-chat', true, user(), calls('a'), tool('a')),
    body: { thinking: { type: 'enabled' } },
  },
  'responses by number': contents('gemini', false, turn, { role: 'user', parts: [response('a'), response('x')] }),
  'a response too few': contents('gemini', true, turn, { role: 'user', parts: [response('a')] }),
  'responses in two contents, Gemini': contents(
    'gemini',
    false,
    turn,
    { role: 'user', parts: [response('a')] },
    { role: 'user', parts: [response('b')] },
  ),
  'responses in two contents, Vertex': contents(
    'vertex',
    true,
    turn,
    { role: 'user', parts: [response('a')] },
    { role: 'user', parts: [response('b')] },
  ),
  'a thought without a text': contents(
    'gemini',
    true,
    { role: 'model', parts: [{ thought: true, thoughtSignature: 'aa' }] },
    { role: 'user', parts: [{ text: 'go' }] },
  ),
  'a field that is not known, Mistral': chat('mistral', 'mistral-large', false, { ...user(), nickname: 1 }),
  'a field that is not known, OpenAI': chat('openai', 'gpt-5', false, { ...user(), nickname: 1 }),
  'an item id, Copilot': items('copilot', true, user(), { ...item('a'), id: 'fc_1' }, output('a')),
  'an item id, OpenAI': items('openai', false, user(), { ...item('a'), id: 'fc_1' }, output('a')),
  'a call of no id with two results of none, OpenAI': chat(
    'openai',
    'gpt-5',
    false,
    user(),
    calls(''),
    tool(''),
    tool(''),
  ),
  'three calls of no id with a result each of none, DeepSeek': chat(
    'deepseek',
    'deepseek-chat',
    false,
    user(),
    calls('', '', ''),
    tool(''),
    tool(''),
    tool(''),
  ),
  'a result of the legacy functions API that answers nothing, OpenAI': chat(
    'openai',
    'gpt-5',
    false,
    user(),
    assistant(),
    {
      role: 'function',
      tool_call_id: 'a',
      name: 'look',
      content: 'found',
    },
  ),
  'one id on two calls, its result after another voice, Kimi': chat(
    'moonshot',
    'moonshot-v1-8k',
    true,
    user(),
    calls('c00000001', 'c00000001'),
    { role: 'function', tool_call_id: 'c00000002', content: 'found' },
    tool('c00000001'),
    assistant(),
    user(),
  ),
  'an unknown field of a call, Mistral': chat(
    'mistral',
    'mistral-large-latest',
    false,
    user(),
    { ...calls('abcdefID1'), tool_calls: [{ ...call('abcdefID1'), extra: 1 }] },
    tool('abcdefID1'),
  ),
  'reasoning before an item of an empty type, Responses': items(
    'openai',
    false,
    user(),
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAABo' },
    { type: '', content: [{ type: 'output_text', text: 'ok' }] },
  ),
  'a result after another voice, Kimi': chat(
    'moonshot',
    'moonshot-v1-8k',
    true,
    user(),
    calls('c00000001'),
    { role: 'function', tool_call_id: 'c00000002', content: 'found' },
    tool('c00000001'),
    assistant(),
    user(),
  ),
  'a result without an id, and the one with it after a prompt, Kimi': chat(
    'moonshot',
    'moonshot-v1-8k',
    true,
    user(),
    calls('c00000001'),
    { role: 'tool', content: 'found' },
    user(),
    tool('c00000001'),
    assistant(),
    user(),
  ),
  'a list of an empty text, Kimi': chat('moonshot', 'moonshot-v1-8k', true, user([{ type: 'text', text: '' }])),
  'an invalid text, Kimi': chat('moonshot', 'moonshot-v1-8k', false, user([{ type: 'text', text: 7 }])),
  'a screen without its picture': items('openai', false, user(), { type: 'computer_call', call_id: 'a', action: {} }),
  'calls that are no list, Groq': chat(
    'groq',
    'llama-3.3-70b',
    true,
    user(),
    { ...assistant(), tool_calls: {} },
    user(),
  ),
  'calls of a tool, OpenAI': chat('openai', 'gpt-5', true, user(), calls('a'), {
    ...tool('a'),
    tool_calls: [call('b')],
  }),
  'calls of a tool, GLM': chat('zhipu', 'glm-5', false, user(), calls('a'), { ...tool('a'), tool_calls: [call('b')] }),
  'the assistant last, thinking asked for, llama.cpp': {
    ...chat('llamacpp', 'qwen3', true, user(), assistant()),
    body: { chat_template_kwargs: { enable_thinking: true } },
  },
}
