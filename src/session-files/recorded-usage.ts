/**
 * Token counts that an agent wrote into its file. They are never mixed with estimates: files are known to count too
 * little.
 */
import { isObject, tryParseJson } from '../core/index.ts'

export interface Usage {
  /** All tokens of the prompt: also those read from a cache and written to one. */
  readonly input: number
  readonly cached: number
  readonly output: number
  /** Written to a cache; `writtenForAnHour`: of these, kept for an hour. */
  readonly written?: number
  readonly writtenForAnHour?: number
  /** In US dollars, as the agent counted it. */
  readonly cost?: number
}

export function recordedUsage(record: unknown): Usage | undefined {
  if (!isObject(record)) return undefined
  const { data } = record
  const holder = [record['message'], data, record].map(objectIn).find((one) => countsIn(one))
  const usage = countsIn(holder) ?? countsIn(objectIn(record['payload'])?.['info'])
  if (!usage) return undefined
  const hour = count(objectIn(usage['cache_creation']), 'ephemeral_1h_input_tokens')
  const cost = count(objectIn(usage['cost']), 'total') + count(holder, 'cost')
  const read = countsOf(usage)
  if (read.input + read.output <= 0) return undefined
  return { ...read, ...(hour > 0 && { writtenForAnHour: hour }), ...(cost > 0 && { cost }) }
}

type Counts = Readonly<Record<string, unknown>>

/** Under the name that the agent uses. */
function countsIn(holder: unknown): Counts | undefined {
  if (!isObject(holder)) return undefined
  const names = ['usage', 'last_token_usage', 'usageMetadata', 'tokens']
  return names.map((name) => holder[name]).find(isObject)
}

function countsOf(usage: Counts): Usage {
  const cache = objectIn(usage['cache'])
  const isInside = ['cached_input_tokens', 'cachedContentTokenCount', 'thoughts'].some((name) => name in usage)
  const reads = ['cache_read_input_tokens', 'cached_input_tokens', 'cachedContentTokenCount', 'cached', 'cacheRead']
  const cached = count(usage, ...reads) + count(cache, 'read')
  const written = count(usage, 'cache_creation_input_tokens', 'cacheWrite') + count(cache, 'write')
  const prompt = count(usage, 'input_tokens', 'input', 'promptTokenCount')
  const output = count(usage, 'output_tokens', 'output', 'thoughts', 'reasoning')
  return {
    input: prompt + written + (isInside ? 0 : cached),
    cached,
    // Whether the count of candidates has the reasoning in it differs.
    output: output || Math.max(0, count(usage, 'totalTokenCount') - prompt),
    ...(written > 0 && { written }),
  }
}

function count(counts: Counts | undefined, ...names: readonly string[]): number {
  return names.reduce((sum, name) => {
    const value = counts?.[name]
    return sum + (typeof value === 'number' && value > 0 ? value : 0)
  }, 0)
}

/** A column of a database holds its object as JSON. */
function objectIn(value: unknown): Counts | undefined {
  const read = typeof value === 'string' && value.startsWith('{') ? tryParseJson(value) : value
  return isObject(read) ? read : undefined
}
