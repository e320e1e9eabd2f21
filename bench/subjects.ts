/**
 * What is measured: every provider in every dialect it serves, for every model of `test/model-names.ts` and without a
 * model, each with the style of history that it accepts. A provider or dialect that is missing here fails
 * `test/bench-subjects.test.ts`.
 */
import { models } from '../test/model-names.ts'
import type { Style } from './conversation.ts'
import type { Target } from './engine.ts'
import type { DialectId } from './native.ts'

export interface Subject {
  readonly provider: string
  readonly dialect: DialectId
  readonly model: string | undefined
  readonly style: Style
}

type StyleOverride = Partial<Style>

/** By the model, where models of one provider differ. */
type StyleOverrides = StyleOverride | ((model: string | undefined) => StyleOverride)

const USUAL: Style = { ids: 'call', thinking: false, beside: 'some', system: true, itemIds: true }

const DEFAULTS: Readonly<Record<DialectId, Style>> = {
  'openai-chat': USUAL,
  'openai-responses': { ...USUAL, thinking: true },
  'anthropic-messages': { ...USUAL, ids: 'toolu', thinking: true },
  gemini: { ...USUAL, thinking: true },
  'bedrock-converse': { ...USUAL, ids: 'tooluse', thinking: true },
  'ai-sdk': { ...USUAL, thinking: true },
  'ai-sdk-ui': { ...USUAL, thinking: true },
  langchain: USUAL,
}

/** Models of `test/model-names.ts` that do not think. Without a model the history has thoughts. */
const QUICK = /claude-3-5|gpt-4|nova|llama|mistral|non-reasoning|moonshot-v1/i

const byThinking: StyleOverrides = (model) => ({ thinking: !QUICK.test(model ?? '') })

/** Ids of nine letters and digits: Mistral's own template counts them, and without a model it may be meant. */
const nineIds: StyleOverride = { ids: 'nine' }

const nineForMistral: StyleOverrides = (model) => (model === undefined || /mistral/i.test(model) ? nineIds : {})

/** On Bedrock only Claude may have text next to its calls. */
const converse: StyleOverrides = (model) => ({
  thinking: /claude-sonnet/.test(model ?? ''),
  beside: /claude/.test(model ?? '') ? 'some' : 'never',
})

const table: Readonly<Record<string, Readonly<Partial<Record<DialectId, StyleOverrides>>>>> = {
  anthropic: { 'anthropic-messages': byThinking },
  openai: { 'openai-chat': {}, 'openai-responses': byThinking },
  'openai-responses': { 'openai-responses': byThinking },
  azure: { 'openai-chat': {}, 'openai-responses': byThinking, 'anthropic-messages': {} },
  gemini: { gemini: {}, 'openai-chat': {} },
  vertex: { gemini: {}, 'anthropic-messages': {} },
  bedrock: { 'bedrock-converse': converse, 'anthropic-messages': byThinking, 'openai-responses': byThinking },
  mistral: { 'openai-chat': nineIds },
  deepseek: { 'openai-chat': { thinking: true }, 'openai-responses': {}, 'anthropic-messages': {} },
  moonshot: { 'openai-chat': (model) => ({ ids: 'kimi', thinking: !QUICK.test(model ?? '') }) },
  dashscope: { 'openai-chat': {} },
  zhipu: { 'openai-chat': {} },
  xai: { 'openai-chat': {}, 'openai-responses': byThinking },
  groq: { 'openai-chat': {} },
  // Null is rejected as content.
  cerebras: { 'openai-chat': { beside: 'always' } },
  perplexity: { 'openai-chat': {} },
  mimo: { 'openai-chat': { thinking: true } },
  minimax: { 'openai-chat': {} },
  openrouter: { 'openai-chat': nineForMistral, 'openai-responses': byThinking, 'anthropic-messages': byThinking },
  // Ids of items are only known to the connection that made them.
  copilot: { 'openai-chat': {}, 'openai-responses': { itemIds: false }, 'anthropic-messages': {} },
  llamacpp: { 'openai-chat': {} },
  vllm: { 'openai-chat': nineForMistral },
  ollama: { 'openai-chat': {} },
  'ai-sdk': { 'ai-sdk': {} },
  'ai-sdk-ui': { 'ai-sdk-ui': {} },
  langchain: { langchain: {} },
}

export const subjects: readonly Subject[] = Object.entries(table).flatMap(([provider, served]) =>
  Object.entries(served).flatMap(([dialect, overrides]) =>
    modelsOf(provider).map((model) => subjectOf(provider, dialect as DialectId, model, overrides)),
  ),
)

/** Every model to measure with, and none. */
export function modelsOf(provider: string): readonly (string | undefined)[] {
  return [undefined, ...(models[provider] ?? []).filter((model) => model !== undefined)]
}

function subjectOf(
  provider: string,
  dialect: DialectId,
  model: string | undefined,
  overrides: StyleOverrides,
): Subject {
  const override = typeof overrides === 'function' ? overrides(model) : overrides
  return { provider, dialect, model, style: { ...DEFAULTS[dialect], ...override } }
}

/** The subject of one row; throws for a row that is not measured. */
export function subjectFor(provider: string, dialect: string, model?: string): Subject {
  const found = subjects.find((one) => one.provider === provider && one.dialect === dialect && one.model === model)
  if (!found) throw new Error(`No bench subject for ${provider} in ${dialect} with ${model ?? 'no model'}.`)
  return found
}

/**
 * One subject for each dialect, for figures that take too long for every row: the usual provider with a current model.
 */
export const mainSubjects: readonly Subject[] = [
  subjectFor('openai', 'openai-chat', 'gpt-5'),
  subjectFor('openai-responses', 'openai-responses', 'gpt-5.4'),
  subjectFor('anthropic', 'anthropic-messages', 'claude-opus-4-6'),
  subjectFor('gemini', 'gemini', 'gemini-3-flash-preview'),
  subjectFor('bedrock', 'bedrock-converse', 'us.anthropic.claude-sonnet-4-6-v1:0'),
  subjectFor('ai-sdk', 'ai-sdk'),
  subjectFor('ai-sdk-ui', 'ai-sdk-ui'),
  subjectFor('langchain', 'langchain'),
]

export function nameOf({ provider, dialect, model }: Subject): string {
  return `${provider} ${dialect} ${model ?? '-'}`
}

export function targetOf({ provider, dialect, model }: Subject): Target {
  return { provider, dialect, ...(model === undefined ? {} : { model }) } as Target
}
