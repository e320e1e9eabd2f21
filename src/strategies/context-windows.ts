/**
 * Context windows of models, found by name within the prefixes of routers (`openrouter/anthropic/…`, `us.anthropic.…`,
 * `models/…`) and for each spelling of a version (`4.6`, `4-6`). A window that is too small here only makes a
 * compaction come early.
 */
import { checkValue } from '../core/options.ts'

/** Tokens of the context window, prompt and answer together. */
export const UNKNOWN_WINDOW = 128_000

/** The first match counts. */
const windows: readonly (readonly [RegExp, number])[] = [
  [/claude-(?:instant|2-0|v1)/, 100_000],
  [/claude/, 200_000],
  [/gpt-4-1(?!\d)/, 1_047_576],
  [/gpt-4-32k/, 32_768],
  [/gpt-4(?:-0|$)(?!-turbo)/, 8_192],
  [/gpt-4/, 128_000],
  [/gpt-3-5|gpt-35/, 16_385],
  [/gpt-oss/, 131_072],
  [/gpt-[5-9]/, 400_000],
  [/(?:^|\/)o[134](?:-|$)/, 200_000],
  [/gemini-1-5-pro/, 2_097_152],
  [/gemini/, 1_048_576],
  [/codestral|devstral/, 256_000],
  [/mistral|magistral|ministral|pixtral/, 128_000],
  [/deepseek/, 128_000],
  [/moonshot-v1-8k/, 8_192],
  [/moonshot-v1-32k/, 32_768],
  [/kimi/, 256_000],
  [/qwen3-coder-plus|qwen-turbo|qwen-plus/, 1_000_000],
  [/qwen3-max/, 256_000],
  [/qwen-max/, 32_768],
  [/glm-(?:4-[6-9]|[5-9])/, 200_000],
  [/grok-4-(?:1-)?fast/, 2_000_000],
  [/grok-[4-9]/, 256_000],
  [/nova-(?:pro|lite)/, 300_000],
]

/** The largest window that an account can have for a model, where it is not the usual one. */
const largest: typeof windows = [
  [/claude-(?:sonnet|opus)-[4-9]|claude-(?!haiku|3|2|instant|v1|sonnet|opus)/, 1_000_000],
  [/gpt-5-[4-9]|gpt-[6-9]/, 1_050_000],
]

/** The context window of a model, in tokens. A small one for an unknown model. */
export function windowOf(model: string | undefined): number {
  return knownWindow(model) ?? UNKNOWN_WINDOW
}

/** Undefined for a model that is not known. */
export function knownWindow(model: string | undefined): number | undefined {
  if (model === undefined) return undefined
  checkValue('The name of a model', model, 'string')
  return windowIn(windows, model)
}

/** Of a known model. */
export function largestWindow(model: string | undefined): number {
  return Math.max(windowOf(model), windowIn(largest, model ?? '') ?? 0)
}

function windowIn(table: typeof windows, model: string): number | undefined {
  const name = model.toLowerCase().replaceAll('.', '-')
  return table.find(([pattern]) => pattern.test(name))?.[1]
}
