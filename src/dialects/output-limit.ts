/** The output limit of a request (`max_tokens` and its other names), read and lowered. */
import { type JsonObject, type Path, valueAt, withValueAt } from '../core/index.ts'

/** Where the dialects have the limit. */
const PLACES: readonly Path[] = [
  ['max_tokens'],
  ['max_completion_tokens'],
  ['max_output_tokens'],
  ['generationConfig', 'maxOutputTokens'],
  ['generation_config', 'max_output_tokens'],
  ['inferenceConfig', 'maxTokens'],
  ['options', 'num_predict'],
]
/** A lower limit is useless: shorten the history instead. */
const MIN_OUTPUT = 256
/** The smallest thinking budget that Anthropic accepts. */
const MIN_THINKING = 1024

/** The output limit of a request, in tokens. */
export function outputLimit(body: JsonObject): number | undefined {
  const limits = PLACES.map((path) => valueAt(body, path)).filter((one) => typeof one === 'number')
  return limits.length === 0 ? undefined : Math.max(...limits)
}

/** The body with a lower limit; undefined if it has no limit, or a lower one would be useless. */
export function withOutputLimit(body: JsonObject, target: number): JsonObject | undefined {
  const current = outputLimit(body)
  if (current === undefined || target >= current || target < Math.min(MIN_OUTPUT, current)) return undefined
  let lowered = body
  for (const path of PLACES) {
    const limit = valueAt(lowered, path)
    if (typeof limit === 'number' && limit > target) lowered = withValueAt(lowered, path, target)
  }
  return withThinkingBudget(lowered, target)
}

/** Thinking counts as output: its budget must stay below the limit. */
function withThinkingBudget(body: JsonObject, target: number): JsonObject | undefined {
  let fits = body
  for (const path of [['thinking'], ['additionalModelRequestFields', 'thinking']] as const) {
    const budget = valueAt(body, [...path, 'budget_tokens'])
    if (typeof budget !== 'number' || budget < target) continue
    if (target <= MIN_THINKING) return undefined
    fits = withValueAt(fits, [...path, 'budget_tokens'], Math.max(MIN_THINKING, Math.floor(target / 2)))
  }
  return fits
}
