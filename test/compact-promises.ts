/**
 * What a compaction promises, as checks of one history for one target. Used by the property tests and by the long fuzz
 * run.
 */
import type { Compacted, CompactOptions, Strategy } from '../src/compact.ts'
import type { Dialect, Part } from '../src/core/index.ts'
import { apply } from '../src/index.ts'
import { accepted, stableText } from './repair-promises.ts'
import { type ByName, compact, lint } from './untyped-api.ts'

export interface Shortening {
  readonly history: readonly unknown[]
  readonly dialect: Dialect
  readonly options: ByName<CompactOptions> & { readonly provider: string; readonly dialect: string }
}

/** Ladders of one strategy each, and the default. */
export const ladders: readonly (readonly Strategy[])[] = [
  ['shrink'],
  ['clear'],
  ['reasoning'],
  ['drop'],
  ['summary'],
  ['shrink', 'clear', 'reasoning', 'summary'],
]

/** Policies that act on small histories. */
export function strategiesFor(ladder: readonly Strategy[]) {
  return {
    ladder,
    shrink: { overTokens: 8, toTokens: 4 },
    clear: { keepTokens: 20, minReclaimTokens: 1 },
    summary: { maxTokens: 60 },
  }
}

/** The first promise that is broken, in words; else whether anything was done. */
export function brokenCompaction(subject: Shortening): string | boolean {
  const { history, options } = subject
  const before = JSON.stringify(history)
  const done = compact(history, options)
  if (JSON.stringify(history) !== before) return 'the input was changed'
  return (
    says(done) ??
    undoes(subject, done) ??
    keeps(subject, done) ??
    isWhole(subject, done) ??
    isStable(subject, done) ??
    done.plan.changesAnything ??
    done.plan.changesAnything
  )
}

type Done = Compacted<readonly unknown[]>

/** Within the budget, or the plan has the reason. */
function says({ plan, history, patch }: Done): string | undefined {
  const { before, after, limit } = plan.tokens
  if (!plan.changesAnything && patch.length > 0) return 'nothing is done, yet there is a patch'
  if (plan.changesAnything && after >= before) return `it grew from ${before} to ${after}`
  if (plan.why.length === 0) return 'no reason is given'
  const explained = plan.why.some(({ code }) => code !== 'due' && code !== 'forced')
  if (!plan.fits && !explained) return `not within ${limit} and no word about it: ${after} of ${before}`
  if (!Array.isArray(history)) return 'no list came back'
  return undefined
}

function undoes({ history }: Shortening, { plan, history: after, patch, undo }: Done): string | undefined {
  if (!plan.changesAnything) return after === history ? undefined : 'nothing is done, yet another array came back'
  const back = apply(after, undo)
  if (stableText(back) !== stableText(history)) return 'undo does not give the input back'
  const stored = JSON.parse(JSON.stringify(patch))
  return JSON.stringify(apply(history, stored)) === JSON.stringify(after)
    ? undefined
    : 'the patch does not survive JSON'
}

/** System messages, the last prompt, what is pending and the pins. */
function keeps({ history, dialect, options }: Shortening, { plan, history: after }: Done): string | undefined {
  if (!plan.changesAnything) return undefined
  const was = partsIn(history, dialect)
  const now = partsIn(after, dialect)
  const texts = now.map(({ part }) => part.body).filter((body): body is string => typeof body === 'string')
  const whole = texts.join('\n').toWellFormed()
  const has = (text: unknown) =>
    typeof text !== 'string' || text.trim() === '' || whole.includes(text.toWellFormed().trim())
  for (const { role, part } of was)
    if (role === 'system' && part.kind === 'text' && !has(part.body)) return 'a system text is gone'
  for (const text of lastPrompt(history, dialect))
    if (!has(text)) return `the last prompt is gone: ${JSON.stringify(text)}`
  const cut = plan.steps.some((step) => step.cut !== undefined)
  for (const pin of cut ? (options.pins ?? []) : [])
    if (typeof pin === 'string' && !has(pin)) return `the pin is gone: ${pin}`
  if (plan.pins.some(({ present }) => !present)) return 'the plan says that a pin is gone'
  return !options.inProgress ? undefined : pendingGone(was, now, history.length)
}

interface Placed {
  readonly role: string
  readonly part: Part
}

function partsIn(list: readonly unknown[], dialect: Dialect): Placed[] {
  return list.flatMap((message, i) => {
    const parts: Part[] = []
    const role = dialect.read(message, i, parts)
    return parts.map((part) => ({ role, part }))
  })
}

function lastPrompt(history: readonly unknown[], dialect: Dialect): unknown[] {
  for (let i = history.length - 1; i >= 0; i--) {
    const parts: Part[] = []
    if (dialect.read(history[i], i, parts) !== 'user' || parts.some(({ kind }) => kind === 'result')) continue
    return parts.filter(({ kind }) => kind === 'text').map(({ body }) => body)
  }
  return []
}

/** Calls of the last message: nothing follows them, so they may still be answered. */
function pendingGone(was: readonly Placed[], now: readonly Placed[], length: number): string | undefined {
  const ids = new Set(now.filter(({ part }) => part.kind === 'call').map(({ part }) => part.id))
  const pending = was.filter(
    ({ role, part }) => role === 'assistant' && part.kind === 'call' && part.message === length - 1,
  )
  for (const { part } of pending)
    if (part.id !== undefined && !ids.has(part.id)) return `the pending call ${part.id} is gone`
  return undefined
}

/** Lint and the independent emulator take it. */
function isWhole(subject: Shortening, { plan, history: after }: Done): string | undefined {
  if (!plan.changesAnything) return undefined
  const { provider, model, dialect, inProgress } = subject.options
  const options = {
    provider,
    dialect,
    ...(model ? { model } : {}),
    ...(inProgress === undefined ? {} : { inProgress }),
  }
  const errors = lint(after, options).filter((one) => one.severity === 'error')
  const unrepaired = errors.filter((one) => one.fix !== undefined)
  if (unrepaired.length > 0) return `not accepted by lint: ${unrepaired.map(({ rule }) => rule).join(', ')}`
  if (inProgress) return undefined
  return accepted({ history: subject.history, dialect: subject.dialect, options }, after, errors.length)
}

/**
 * The same input gives the same bytes, and what was made shorter is not made longer. One budget in three is looked at:
 * it costs twice as much.
 */
function isStable({ history, options }: Shortening, { plan, history: after }: Done): string | undefined {
  if (!plan.changesAnything || plan.tokens.limit % 3 > 0) return undefined
  if (JSON.stringify(compact(history, options).history) !== JSON.stringify(after))
    return 'another run gives other bytes'
  const again = compact(after, options)
  return again.plan.tokens.after > plan.tokens.after + 1 ? 'compacting again makes it longer' : undefined
}
