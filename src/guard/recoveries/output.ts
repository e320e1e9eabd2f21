/**
 * How long an answer is asked for, and asking for a shorter one.
 */
import { type Path, valueAt, withValueAt } from '../../core/index.ts'
import type { Attempt } from './types.ts'

/** Where the largest answer is said, whoever is asked. */
const PLACES: readonly Path[] = [
  ['max_tokens'],
  ['max_completion_tokens'],
  ['max_output_tokens'],
  ['generationConfig', 'maxOutputTokens'],
  ['generation_config', 'max_output_tokens'],
  ['inferenceConfig', 'maxTokens'],
  ['options', 'num_predict'],
]
/** Shorter answers than this are of no use: the history has to become shorter instead. */
const LEAST = 256
/** The smallest budget that thinking may have. */
const LEAST_THINKING = 1024

/** The longest answer that is asked for. */
export function mostAsked(body: Attempt['body']): number | undefined {
  const asked = PLACES.map((path) => valueAt(body, path)).filter((one) => typeof one === 'number')
  return asked.length === 0 ? undefined : Math.max(...asked)
}

/** The body with no longer answer asked for than that; undefined where it asks for none, or that would be of no use. */
export function loweredTo(body: Attempt['body'], target: number): Attempt['body'] | undefined {
  const most = mostAsked(body)
  if (most === undefined || target >= most || target < Math.min(LEAST, most)) return undefined
  let lowered = body
  for (const path of PLACES) {
    const asked = valueAt(lowered, path)
    if (typeof asked === 'number' && asked > target) lowered = withValueAt(lowered, path, target)
  }
  return withThinking(lowered, target)
}

/** Thinking is part of the answer: its budget stays below it. */
function withThinking(body: Attempt['body'], target: number): Attempt['body'] | undefined {
  let fits = body
  for (const path of [['thinking'], ['additionalModelRequestFields', 'thinking']] as const) {
    const budget = valueAt(body, [...path, 'budget_tokens'])
    if (typeof budget !== 'number' || budget < target) continue
    if (target <= LEAST_THINKING) return undefined
    fits = withValueAt(fits, [...path, 'budget_tokens'], Math.max(LEAST_THINKING, Math.floor(target / 2)))
  }
  return fits
}
