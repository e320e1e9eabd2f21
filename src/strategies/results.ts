/**
 * Shorter tool results: large ones are cut down, old ones are replaced by a sentence. Call and result stay where they are, so no pair breaks.
 */
import { causeText, type Dialect, isSynthetic, type Part } from '../core/index.ts'
import type { Estimate } from './estimate.ts'
import { type Rows, rowsOf, withParts } from './rows.ts'
import { type Memory, type Shrunk, shrinkResult } from './shrink.ts'
import { partTokens } from './tokens.ts'

export interface ResultChoice {
  /** Results from this place on are not touched. */
  readonly before: number
  /** Nor are those before this one: the provider does not see them, and everyone else needs them as they were. */
  readonly from?: number
  /** Tools whose results are never touched. */
  readonly exempt: readonly string[]
  /** A result that says one of these stays. */
  readonly pins: readonly string[]
  readonly estimate: Estimate
}

export interface Shortened {
  readonly history: readonly unknown[]
  /** Ids of the calls whose results are shorter now. */
  readonly calls: readonly string[]
}

const ELIDED = causeText('elided')
/** The same for who reads a result as JSON. */
const ELIDED_JSON = JSON.stringify({ elided: ELIDED })
/** Below this a sentence in its place is no shorter. */
const SMALL = 40

/** Whether the result was cleared before. */
export function isCleared(text: string): boolean {
  return text === ELIDED || text === ELIDED_JSON
}

/** Replaces results by one constant sentence, in batches: the last batch that is not full waits, so that the same bytes are sent until it is. */
export function clearResults(
  history: readonly unknown[],
  dialect: Dialect,
  choice: ResultChoice & { readonly batch: number },
): Shortened {
  const rows = rowsOf(history.slice(0, choice.before), dialect)
  const found = clearable(rows, dialect, choice)
  const total = found.reduce((sum, { tokens }) => sum + tokens, 0)
  const upTo = choice.batch > 1 ? Math.floor(total / choice.batch) * choice.batch : total
  const changes = new Map<Part, unknown>()
  const calls: string[] = []
  let gained = 0
  for (const { part, text, tokens } of found) {
    if (gained + tokens > upTo) break
    gained += tokens
    const said = looksLikeJson(text) ? ELIDED_JSON : ELIDED
    changes.set(part, dialect.write(part, part.value, { result: said }))
    if (part.id !== undefined) calls.push(part.id)
  }
  return changes.size === 0 ? { history, calls } : { history: withParts(history, changes, dialect), calls }
}

/** Cuts results that are larger than `over` down to `to` tokens; what was decided about one before holds. */
export function shrinkResults(
  history: readonly unknown[],
  dialect: Dialect,
  choice: ResultChoice & {
    readonly over: number
    readonly to: number
    readonly memory: Memory
    readonly hint?: string
  },
): Shortened & { readonly shrunk: readonly Shrunk[] } {
  const rows = rowsOf(history.slice(0, choice.before), dialect)
  const changes = new Map<Part, unknown>()
  const calls: string[] = []
  const shrunk: Shrunk[] = []
  for (const { part, tokens } of clearable(rows, dialect, choice)) {
    if (tokens <= choice.over) continue
    const found = shrinkResult(part, choice.to, { ...choice, dialect })
    if (!found) continue
    shrunk.push(found)
    changes.set(part, dialect.write(part, part.value, { result: found.now }))
    if (part.id !== undefined) calls.push(part.id)
  }
  return { history: changes.size === 0 ? history : withParts(history, changes, dialect), calls, shrunk }
}

interface Clearable {
  readonly part: Part
  readonly text: string
  readonly tokens: number
}

/** Results with a call, that say something of their own: failures are short and worth their place. */
function clearable(rows: Rows, dialect: Dialect, { from = 0, exempt, pins, estimate }: ResultChoice): Clearable[] {
  const found: Clearable[] = []
  for (const { parts } of rows.rows) {
    for (const part of parts) {
      if (part.kind !== 'result' || part.message < from || part.server || part.failed || !isPlain(part)) continue
      const call = rows.callOf(part)
      if (!call || exempt.includes(call.name ?? part.name ?? '')) continue
      const tokens = partTokens(part, estimate)
      if (tokens <= SMALL) continue
      const { text } = dialect.content(part)
      if (!isCleared(text) && !isSynthetic(text) && !pins.some((pin) => text.includes(pin)))
        found.push({ part, text, tokens })
    }
  }
  return found
}

/** Outputs of tools that know only a picture or a list of tools cannot say a sentence. */
function isPlain({ type }: Part): boolean {
  return type !== 'computer_call_output' && type !== 'tool_search_output'
}

function looksLikeJson(text: string): boolean {
  const start = text.trimStart()[0]
  const end = text.trimEnd().at(-1)
  return (start === '{' && end === '}') || (start === '[' && end === ']')
}
