import type { JsonObject, WireEvent } from '../types.ts'

/** How the chat format of a provider differs from OpenAI's. */
export interface Manners {
  /** Content of an answer with only calls. */
  readonly noContent: string | null
  /** Usage in a stream: on request, always in a chunk of its own, or in the last chunk. */
  readonly usage: 'asked' | 'always' | 'last'
  /** Calls are sent in one piece, with all their arguments. */
  readonly wholeCalls: boolean
  readonly head: JsonObject
  /** Events before the first chunk. */
  readonly before: readonly WireEvent[]
  reasoningDelta(text: string): JsonObject
  reasoningMessage(reasoning: string, text: string): JsonObject
}

const openai: Manners = {
  noContent: null,
  usage: 'asked',
  wholeCalls: false,
  head: { system_fingerprint: 'fp_contract' },
  before: [],
  // OpenAI does not send reasoning: it is only counted.
  reasoningDelta: () => ({}),
  reasoningMessage: () => ({}),
}

const named = (field: string): Pick<Manners, 'reasoningDelta' | 'reasoningMessage'> => ({
  reasoningDelta: (text) => ({ [field]: text }),
  reasoningMessage: (reasoning) => ({ [field]: reasoning }),
})

const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] })

const mistral: Manners = {
  ...openai,
  noContent: '',
  usage: 'last',
  wholeCalls: true,
  head: {},
  reasoningDelta: (text) => ({ content: [thinking(text)] }),
  reasoningMessage: (reasoning, text) => ({ content: [thinking(reasoning), { type: 'text', text }] }),
}

const openrouter: Manners = {
  ...openai,
  usage: 'always',
  head: { provider: 'Contract' },
  before: [{ comment: 'OPENROUTER PROCESSING' }],
  reasoningDelta: (text) => ({ reasoning: text, reasoning_details: [detail(text)] }),
  reasoningMessage: (reasoning) => ({ reasoning, reasoning_details: [detail(reasoning)] }),
}

function detail(text: string): JsonObject {
  return { type: 'reasoning.text', text, signature: null, format: 'unknown', index: 0 }
}

// Azure sends its filter results for the prompt first, in a chunk without choices.
const azure: Manners = {
  ...openai,
  before: [{ data: { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] } }],
}

const MANNERS: Readonly<Record<string, Manners>> = {
  openai,
  azure,
  mistral,
  openrouter,
  deepseek: {
    ...openai,
    ...named('reasoning_content'),
    noContent: '',
    usage: 'last',
    before: [{ comment: 'keep-alive' }],
  },
  moonshot: { ...openai, ...named('reasoning_content'), noContent: '' },
  dashscope: { ...openai, ...named('reasoning_content'), noContent: '' },
  zhipu: { ...openai, ...named('reasoning_content'), noContent: '', usage: 'last', wholeCalls: true, head: {} },
  xai: { ...openai, ...named('reasoning_content'), noContent: '', wholeCalls: true },
  groq: { ...openai, ...named('reasoning'), wholeCalls: true },
  cerebras: { ...openai, ...named('reasoning'), noContent: '' },
  mimo: { ...openai, ...named('reasoning_content'), noContent: '' },
  copilot: { ...openai, ...named('reasoning_text') },
  llamacpp: { ...openai, ...named('reasoning_content') },
  vllm: { ...openai, ...named('reasoning_content'), head: {} },
  ollama: {
    ...openai,
    ...named('reasoning'),
    noContent: '',
    wholeCalls: true,
    head: { system_fingerprint: 'fp_ollama' },
  },
}

export function manners(provider: string): Manners {
  return MANNERS[provider] ?? openai
}
