/**
 * Token counts that an agent wrote into its file. They are never mixed with estimates: files are known to count too
 * little.
 */
import { isObject } from '../core/index.ts'

export interface Usage {
  readonly input: number
  readonly cached: number
  readonly output: number
}

export function recordedUsage(record: unknown): Usage | undefined {
  if (!isObject(record)) return undefined
  const message = isObject(record['message']) ? record['message'] : undefined
  const payload = isObject(record['payload']) ? record['payload'] : undefined
  const info = payload && isObject(payload['info']) ? payload['info'] : undefined
  const usage = message?.['usage'] ?? info?.['last_token_usage'] ?? record['usage']
  if (!isObject(usage)) return undefined
  const count = (...names: readonly string[]) =>
    names.reduce((sum, name) => sum + (typeof usage[name] === 'number' ? (usage[name] as number) : 0), 0)
  const cached = count('cache_read_input_tokens', 'cached_input_tokens', 'cacheRead')
  const isInside = usage['cached_input_tokens'] !== undefined
  const input = count('input_tokens', 'cache_creation_input_tokens', 'input') + (isInside ? 0 : cached)
  const output = count('output_tokens', 'output')
  return input + output > 0 ? { input, cached, output } : undefined
}
