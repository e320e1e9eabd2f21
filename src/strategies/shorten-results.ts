/**
 * Shortens tool results: large ones are cut, old ones are replaced by a sentence. Calls and results stay in place, so
 * that no pair breaks.
 */
import { causeText, type Dialect, isSynthetic, type Part, Transcript } from '../core/index.ts'
import { replaceParts } from './edit-parts.ts'
import type { Estimate } from './estimate.ts'
import { type Memory, type Shrunk, shrinkResult } from './shrink.ts'
import { partTokens } from './token-counts.ts'

export interface ResultChoice {
  /** Results from this index on do not change. */
  readonly before: number
  /** Nor do those before this index: the provider ignores them, and other providers need them unchanged. */
  readonly from?: number
  /** Names of tools whose results never change. */
  readonly exempt: readonly string[]
  /** A result that contains one of these texts stays. */
  readonly pins: readonly string[]
  readonly estimate: Estimate
}

export interface ShortenedResults {
  readonly history: readonly unknown[]
  /** Ids of the calls whose results are shorter now. */
  readonly calls: readonly string[]
}

const ELIDED = causeText('elided')
/** The same for tools whose results are JSON. */
const ELIDED_JSON = JSON.stringify({ elided: ELIDED })
/** The sentence is not shorter than a result of this size. */
const SMALL = 40

/** Whether the result was cleared before. */
export function isCleared(text: string): boolean {
  return text === ELIDED || text === ELIDED_JSON
}

/** Replaces results by one sentence, in batches: an incomplete batch waits, so that the same bytes are sent. */
export function clearResults(
  history: readonly unknown[],
  dialect: Dialect,
  choice: ResultChoice & { readonly batch: number },
): ShortenedResults {
  const found = clearable(history.slice(0, choice.before), dialect, choice)
  const total = found.reduce((sum, { tokens }) => sum + tokens, 0)
  const upTo = choice.batch > 1 ? Math.floor(total / choice.batch) * choice.batch : total
  const changes = new Map<Part, unknown>()
  const calls: string[] = []
  let gained = 0
  for (const { part, text, tokens } of found) {
    if (gained + tokens > upTo) break
    gained += tokens
    const result = looksLikeJson(text) ? ELIDED_JSON : ELIDED
    changes.set(part, dialect.write(part, part.value, { result }))
    if (part.id !== undefined) calls.push(part.id)
  }
  return changes.size === 0 ? { history, calls } : { history: replaceParts(history, changes, dialect), calls }
}

/** Cuts results larger than `overTokens` to `toTokens`. An earlier decision about a result is applied again. */
export function shrinkResults(
  history: readonly unknown[],
  dialect: Dialect,
  choice: ResultChoice & {
    readonly overTokens: number
    readonly toTokens: number
    readonly memory: Memory
    readonly hint?: string
  },
): ShortenedResults & { readonly shrunk: readonly Shrunk[] } {
  const changes = new Map<Part, unknown>()
  const calls: string[] = []
  const shrunk: Shrunk[] = []
  for (const { part, tokens } of clearable(history.slice(0, choice.before), dialect, choice)) {
    if (tokens <= choice.overTokens) continue
    const found = shrinkResult(part, choice.toTokens, { ...choice, dialect })
    if (!found) continue
    shrunk.push(found)
    changes.set(part, dialect.write(part, part.value, { result: found.now }))
    if (part.id !== undefined) calls.push(part.id)
  }
  return { history: changes.size === 0 ? history : replaceParts(history, changes, dialect), calls, shrunk }
}

interface Clearable {
  readonly part: Part
  readonly text: string
  readonly tokens: number
}

/** Results of known calls that are long enough and not cleared before. Failures stay: they are short and useful. */
function clearable(
  history: readonly unknown[],
  dialect: Dialect,
  { from = 0, exempt, pins, estimate }: ResultChoice,
): Clearable[] {
  const transcript = new Transcript(history, dialect)
  const found: Clearable[] = []
  for (const part of transcript.results) {
    if (part.message < from || part.failed || !isPlain(part)) continue
    const call = transcript.callOf(part)
    if (!call || exempt.includes(call.name ?? part.name ?? '')) continue
    const tokens = partTokens(part, estimate)
    if (tokens <= SMALL) continue
    const { text } = dialect.content(part)
    if (!isCleared(text) && !isSynthetic(text) && !pins.some((pin) => text.includes(pin)))
      found.push({ part, text, tokens })
  }
  return found
}

/** Some outputs can only be a picture or a list of tools, never text. */
function isPlain({ type }: Part): boolean {
  return type !== 'computer_call_output' && type !== 'tool_search_output'
}

function looksLikeJson(text: string): boolean {
  const start = text.trimStart()[0]
  const end = text.trimEnd().at(-1)
  return (start === '{' && end === '}') || (start === '[' && end === ']')
}
