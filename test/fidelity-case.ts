/**
 * A history that was rejected, or lost content, after a default repair; and what a repair must make of it.
 */
import { expect } from 'vitest'
import { judge } from '../contract/judge.ts'
import { Transcript } from '../src/core/index.ts'
import { apply, dialects, invert } from '../src/index.ts'
import { endpoints } from './dialect-table.ts'
import { lint, repair } from './untyped-api.ts'

export interface Case {
  readonly provider: string
  readonly dialect: string
  readonly history: readonly unknown[]
  /** Words that must still be there. Default: `KEPT`. */
  readonly words?: readonly string[]
  /** Calls and results of the repaired history. Default: one of each. */
  readonly pairs?: number
  /** The finding that names the fault, where there is one. */
  readonly rule?: string
}

export const KEPT = 'KEPT words that are long enough'
export const PNG = 'iVBORw0KGgo='

export const chat = (...history: unknown[]) => ({ provider: 'openai', dialect: 'openai-chat', history })
export const items = (...history: unknown[]) => ({ provider: 'openai-responses', dialect: 'openai-responses', history })
export const messages = (...history: unknown[]) => ({ provider: 'anthropic', dialect: 'anthropic-messages', history })
export const contents = (...history: unknown[]) => ({ provider: 'gemini', dialect: 'gemini', history })
export const converse = (...history: unknown[]) => ({ provider: 'bedrock', dialect: 'bedrock-converse', history })

/**
 * The finding is there; the repair is accepted, keeps words and pairs, changes nothing a second time, and can be
 * undone.
 */
export function keepsAll({ provider, dialect: id, history, words = [KEPT], pairs = 1, rule }: Case): void {
  const options = { provider, dialect: id }
  if (rule !== undefined) expect(lint(history, options).map((finding) => finding.rule)).toContain(rule)
  const { value, patch, remaining } = repair(history, options)
  expect(remaining.filter(({ severity }) => severity === 'error')).toEqual([])
  const dialect = dialects.find((one) => one.id === id)!
  const declared = id === 'bedrock-converse' ? { toolConfig: { tools: [] } } : {}
  const body = { [dialect.key]: value, ...declared }
  expect(judge({ provider, endpoint: endpoints[id]!, body }), JSON.stringify(value)).toEqual({ accepted: true })
  const text = JSON.stringify(value)
  for (const word of words) expect(text).toContain(word)
  const { calls, results } = new Transcript(value, dialect)
  expect([calls.length, results.length]).toEqual([pairs, pairs])
  expect(repair(value, options).value).toBe(value)
  expect(apply(value, invert(patch))).toEqual(history)
}
