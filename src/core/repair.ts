/**
 * Lint and repair of a history for one service. Pure: JSON in, JSON out; the same input gives the same bytes.
 * A broken history gives findings; only wrong use throws.
 */
import type { Cause } from './cause.ts'
import type { Service } from './constraint.ts'
import type { Patch } from './edit.ts'
import { findingsOf, type Located } from './finding.ts'
import type { Policy } from './policy.ts'
import { Run } from './repair-run.ts'
import type { Finding, Phase, Rule } from './rule.ts'
import type { RawFinding } from './run-rules.ts'
import { type FindingLimit, LimitExceeded, tooManyFindings } from './work-limit.ts'

/** Who gets the history, and what is known about the request. */
export interface Target {
  readonly service: Service
  /** The provider by name, for the messages of findings. Default: `the provider`. */
  readonly provider?: string | undefined
  readonly rules: readonly Rule[]
  readonly model?: string | undefined
  /** The last round may still be answered: calls without a result there are left alone. */
  readonly inProgress?: boolean | undefined
  /** Repair warnings, too: what is disputed, or only assumed. */
  readonly strict?: boolean | undefined
  /** Rules by which the provider has just rejected this history. */
  readonly rejectedBy?: readonly string[] | undefined
  readonly policy?: Partial<Policy> | undefined
  /** Why results are missing, if the caller knows. */
  readonly cause?: Cause | undefined
  /** Convert a history that is wholly in another dialect. Default: one error that names both dialects. */
  readonly convert?: boolean | undefined
  /**
   * The history is repaired without being asked to: what relies on anything unknown waits for a rejection. Returns the
   * versions and beta features of the request that are not known; asked if there is a finding. `strict` does not change
   * that.
   */
  readonly uninvited?: (() => readonly string[]) | undefined
  /** How many findings are too many. Default: more than any history that was once valid has. */
  readonly findingLimit?: FindingLimit | undefined
}

/** What a repair returns. */
export interface Repaired<T, Id extends string = string> {
  /** What was given, repaired; the same value if there was nothing to repair. */
  readonly value: T
  readonly patch: Patch
  readonly findings: readonly Finding<Id>[]
  /** What lint still finds in the outcome, at its places there. */
  readonly remaining: readonly Finding<Id>[]
}

/** Each pass fixes everything it finds; a later one sees the result of the earlier ones. Five were always enough. */
const MAX_PASSES = 10

/** A history with too many findings for its size has one, `too-many-findings`. */
export function lint(input: unknown, target: Target): readonly Finding[] {
  return withinLimit(
    target,
    () => lintAll(input, target),
    (findings) => findings,
  )
}

function lintAll(input: unknown, target: Target): readonly Finding[] {
  const run = new Run(input, target)
  let found = run.check('shape')
  if (found.length === 0) {
    const rest = run.check('structure')
    return rest.length === 0 ? [] : findingsOf(run.locate(rest))
  }
  const located = run.locate(found)
  for (let pass = 0; pass < MAX_PASSES && isFirst(found); pass++) {
    if (!run.fix(errorsIn(found))) return findingsOf(located)
    found = run.check('shape')
    for (const one of run.locate(found)) located.push(one)
  }
  // Structure rules see messages in wire shape, as they will be after the repair.
  for (let pass = 0, rest = errorsIn(found); pass < MAX_PASSES && run.fix(rest); pass++)
    rest = errorsIn(run.check('shape'))
  return findingsOf([...located, ...run.locate(run.check('structure'))])
}

function isFirst(found: readonly RawFinding[]): boolean {
  return found.some(({ first }) => first)
}

/** What a harmless or an uncertain fix would change is still there when the provider sees the history as it is. */
function errorsIn(found: readonly RawFinding[]): readonly RawFinding[] {
  return found.filter(({ harmless, notKnown }) => !harmless && !notKnown)
}

/** A history with too many findings for its size is returned as it is. */
export function repair<T>(input: T, target: Target): Repaired<T> {
  return withinLimit(
    target,
    () => repairAll(input, target),
    (findings) => {
      return { value: input, patch: [], findings, remaining: findings }
    },
  )
}

function withinLimit<T>(target: Target, work: () => T, exceeded: (findings: readonly Finding[]) => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof LimitExceeded) return exceeded(findingsOf([located(error, target)]))
    throw error
  }
}

function located({ id, data }: LimitExceeded, { provider }: Target): Located {
  const about = { fix: [], harmless: false, first: false }
  const raw = { rule: tooManyFindings, severity: 'error' as const, id, at: [], data, ...about }
  return { raw, at: [], fix: () => [], rounds: () => [], message: undefined, isFixed: false, provider }
}

function repairAll<T>(input: T, target: Target): Repaired<T> {
  const run = new Run(input, target)
  const seen: Located[][] = []
  let phase: Phase = 'shape'
  let isRestructured = false
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const found = run.check(phase)
    seen.push(run.locate(found))
    if (run.fix(found)) {
      isRestructured ||= phase === 'structure'
      continue
    }
    if (isFirst(found) || (phase === 'structure' && !isRestructured)) break
    // What a structure fix brought together may need a shape fix: two copies are neighbors now.
    phase = phase === 'shape' ? 'structure' : 'shape'
    isRestructured = false
  }
  const findings = findingsOf(firstSeen(seen))
  const remaining = run.patch.length === 0 ? findings : run.isValid() ? [] : lint(run.input, target)
  return { value: run.input as T, patch: run.patch, findings, remaining }
}

/** Everything that the first pass of each phase found, and what later passes found beside it. */
function firstSeen(all: readonly (readonly Located[])[]): readonly Located[] {
  const passes = all.filter((found) => found.length > 0)
  if (passes.length < 2) return passes[0] ?? []
  const keyOf = ({ raw, at }: Located) => `${raw.rule.id} ${raw.id} ${at.join('/')}`
  const known = new Set<string>()
  return passes.flatMap((pass) => {
    const fresh = pass.filter((one) => !known.has(keyOf(one)))
    for (const one of fresh) known.add(keyOf(one))
    return fresh
  })
}
