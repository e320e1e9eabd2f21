/** Constraints that depend on a model, by its name. False for a model that is not named or not known. */

import { field, textAt } from './json.ts'

/** Claude's version as one number (4.6 is 406), with any prefix and suffix around the name. */
function claudeVersion(model: string): number | undefined {
  const found = /claude-(?:[a-z]+-)?(\d+)(?!\d)(?:[.-](\d{1,2})(?!\d))?/.exec(model)
  return found ? Number(found[1]) * 100 + Number(found[2] ?? 0) : undefined
}

export function isClaude(model: string | undefined): boolean {
  return model?.includes('claude') ?? false
}

/** docs/rejections.md#anthropic-last-assistant-prefill: Claude 4.6 and later; also `role: system` in the list. */
export function isNewClaude(model: string | undefined): boolean {
  if (model === undefined || !isClaude(model)) return false
  return /fable|mythos/.test(model) || (claudeVersion(model) ?? 0) >= 406
}

/** A Claude known to be before 4.6. */
export function isOldClaude(model: string | undefined): boolean {
  return model !== undefined && isClaude(model) && !isNewClaude(model) && claudeVersion(model) !== undefined
}

/** The major version: 3 for `google/gemini-3.1-pro`; undefined for aliases such as `gemini-flash-latest`. */
export function isGemini3(model: string | undefined): boolean {
  const found = /gemini-(\d+)/.exec(model ?? '')
  return found !== null && Number(found[1]) >= 3
}

/** OpenAI models that accept ids of 64 characters instead of 40 (docs/rejections.md#openai-tool-call-id-too-long). */
export function isGpt5(model: string | undefined): boolean {
  const found = /gpt-(\d+)/.exec(model ?? '')
  return found !== null && Number(found[1]) >= 5
}

/** OpenAI models that are known to accept at most 40 characters. */
export function isBeforeGpt5(model: string | undefined): boolean {
  return /(^|\/)(gpt-[34](?!\d)|chatgpt-4|o[134](-|$))/.test(model ?? '')
}

/** docs/rejections.md#openai-tool-result-multimodal-unsupported: OpenAI models up to GPT-5.1. */
export function isBeforeGpt52(model: string | undefined): boolean {
  const found = /gpt-5(?:\.(\d+))?(?!\d)/.exec(model ?? '')
  return found ? Number(found[1] ?? 0) <= 1 : isBeforeGpt5(model)
}

/** Whether the request itself has `thinking: { type }`. */
export function thinkingType(body: unknown): string {
  return textAt(field(body, 'thinking'), 'type')
}

/**
 * Models that think unless the request forbids it; others think on request
 * (docs/rejections.md#deepseek-reasoning-content-missing, #moonshot-reasoning-content-missing).
 */
const THINKING = /deepseek-(reasoner|v[4-9])|kimi-(k2-thinking|thinking|k2\.[5-9]|k[3-9])/

export function thinks(model: string | undefined, body: unknown): boolean {
  const type = thinkingType(body)
  return model !== undefined && type !== 'disabled' && (type === 'enabled' || THINKING.test(model))
}

/** Models whose public chat template is Mistral's (docs/rejections.md#local-role-order). */
export function hasMistralTemplate(model: string | undefined): boolean {
  return /mistral|mixtral|magistral|ministral|devstral/.test(model ?? '')
}
