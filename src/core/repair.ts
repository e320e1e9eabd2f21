/**
 * Lint and repair of a history for one service. Pure: JSON in, JSON out; the same input gives the same bytes.
 * A broken history gives findings; only wrong use throws.
 */
import { applyFixes } from './apply-fixes.ts'
import type { Cause } from './cause.ts'
import type { Service } from './constraint.ts'
import { apply, type Edit, type Patch } from './edit.ts'
import { findingsOf, type Located } from './finding.ts'
import { placeOfStep } from './fix.ts'
import { isObject, type JsonObject } from './json.ts'
import { checkValue } from './options.ts'
import { policyOf } from './policy.ts'
import { historyOf, modelOf } from './repair-input.ts'
import type { Finding, Phase, Rule } from './rule.ts'
import { bindRules, type RawFinding, type RulesByPhase, runRules } from './run-rules.ts'
import { type Place, type Policy, Transcript } from './transcript.ts'
import { type Group, roundsOf } from './turns.ts'

export interface Target {
  readonly service: Service
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
}

export interface Repaired<T, Id extends string = string> {
  /** What was given, repaired; the same value if there was nothing to repair. */
  readonly value: T
  readonly patch: Patch
  readonly findings: readonly Finding<Id>[]
  /** What lint still finds in the outcome, at its places there. */
  readonly remaining: readonly Finding<Id>[]
}

/** Each pass fixes everything it finds; later ones see what earlier ones brought together. More than five were never needed. */
const MAX_PASSES = 10

export function lint(input: unknown, target: Target): readonly Finding[] {
  const run = new Run(input, target)
  let found = run.check('shape')
  if (found.length === 0) return findingsOf(run.locate(run.check('structure')))
  const located = run.locate(found)
  for (let pass = 0; pass < MAX_PASSES && isFirst(found); pass++) {
    if (!run.fix(found)) return findingsOf(located)
    found = run.check('shape')
    located.push(...run.locate(found))
  }
  // Structure rules see messages in wire shape, as they will be after the repair.
  for (let pass = 0, rest = errorsIn(found); pass < MAX_PASSES && run.fix(rest); pass++)
    rest = errorsIn(run.check('shape'))
  return findingsOf([...located, ...run.locate(run.check('structure'))])
}

function isFirst(found: readonly RawFinding[]): boolean {
  return found.some(({ first }) => first)
}

/** What a harmless fix would change is still there when the provider sees the history as it is. */
function errorsIn(found: readonly RawFinding[]): readonly RawFinding[] {
  return found.filter(({ severity, harmless }) => severity === 'error' || !harmless)
}

export function repair<T>(input: T, target: Target): Repaired<T> {
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
  const remaining = run.patch.length === 0 ? findings : lint(run.input, target)
  return { value: run.input as T, patch: run.patch, findings, remaining }
}

/** Everything that the first pass of each phase found, and what later passes found beside it. */
function firstSeen(passes: readonly (readonly Located[])[]): readonly Located[] {
  const keyOf = ({ raw, at }: Located) => `${raw.rule.id} ${raw.id} ${at.join('/')}`
  const known = new Set<string>()
  return passes.flatMap((pass) => {
    const fresh = pass.filter((one) => !known.has(keyOf(one)))
    for (const one of fresh) known.add(keyOf(one))
    return fresh
  })
}

const NONE: readonly string[] = []

/** One repair: the value as it is after the passes so far, and where its messages came from. */
class Run {
  input: unknown
  readonly patch: Edit[] = []
  private readonly target: Target
  private readonly rules: RulesByPhase
  private readonly policy: Policy
  private transcript: Transcript
  private readonly given: Transcript
  private rounds: readonly Group[] | undefined
  /** For each message the index that it had in what was given; -1: it is new. */
  private origins: readonly number[] | undefined
  private editedFrom: Place | undefined

  constructor(input: unknown, target: Target) {
    checkValue('The target', target, isTarget, 'Or use lint and repair of "suture", which take a provider by its name.')
    this.input = input
    this.target = target
    this.policy = policyOf(target.policy, target.cause)
    this.given = this.transcript = this.read()
    const { service, rules, rejectedBy = NONE, strict = false } = target
    this.rules = bindRules({ service, model: modelOf(input, target.model), rules, rejectedBy, strict })
  }

  check(phase: Phase): readonly RawFinding[] {
    return runRules(this.rules[phase], this.transcript)
  }

  /** Fixes what is fixed by default; false if there was nothing. */
  fix(found: readonly RawFinding[]): boolean {
    const fixable = found.filter((one) => this.isFixed(one))
    if (fixable.length === 0) return false
    const { patch, origins } = this.patchFor(fixable)
    if (patch.length === 0) return false
    this.editedFrom = earliest(this.editedFrom, fixable, this.transcript)
    this.input = apply(this.input, patch)
    this.patch.push(...patch)
    this.origins = origins.map((origin) => (origin < 0 ? -1 : this.originOf(origin)))
    this.transcript = this.read()
    return true
  }

  /** Findings with their places in what was given. */
  locate(found: readonly RawFinding[]): Located[] {
    if (found.length === 0) return []
    const { transcript, target, origins } = this
    const before = [...this.patch]
    const prefix = transcript.request ? [target.service.dialect.key] : []
    return found.map((raw) => {
      const at = origins ? this.placeBefore(raw.at) : raw.at
      return {
        raw,
        at: prefix.length > 0 ? [...prefix, ...at] : at,
        message: typeof at[0] === 'number' ? at[0] : undefined,
        fix: () => [...before, ...this.patchAt(transcript, [raw]).patch],
        rounds: () => this.roundsGiven(),
      }
    })
  }

  private isFixed({ fix, severity, harmless }: RawFinding): boolean {
    return fix.length > 0 && (severity === 'error' || harmless || this.target.strict === true)
  }

  private patchFor(found: readonly RawFinding[]) {
    return this.patchAt(this.transcript, found)
  }

  private patchAt(transcript: Transcript, found: readonly RawFinding[]) {
    const { patch, origins } = applyFixes(
      transcript,
      found.map(({ fix }) => fix),
      this.target.cause ?? 'lost',
    )
    const { key } = this.target.service.dialect
    return { patch: transcript.request ? patch.map((edit) => rebase(edit, key)) : patch, origins }
  }

  private originOf(index: number): number {
    return this.origins ? (this.origins[index] ?? -1) : index
  }

  /** The message in what was given; a new one counts as the one before it. */
  private placeBefore(at: RawFinding['at']): RawFinding['at'] {
    const [message, ...rest] = at
    if (typeof message !== 'number') return at
    let from = message
    while (from >= 0 && this.originOf(from) < 0) from--
    return from === message ? [this.originOf(from), ...rest] : [Math.max(from < 0 ? 0 : this.originOf(from), 0)]
  }

  /** Read for the first finding whose round is asked for. */
  private roundsGiven(): readonly Group[] {
    this.rounds ??= roundsOf(this.given)
    return this.rounds
  }

  private read(): Transcript {
    const { dialect } = this.target.service
    return new Transcript(historyOf(this.input, dialect.key), dialect, {
      request: Array.isArray(this.input) ? undefined : (this.input as JsonObject),
      inProgress: this.target.inProgress,
      policy: this.policy,
      convert: this.target.convert,
      editedFrom: this.editedFrom,
    })
  }
}

/** Where edits begin that a signature covers: everything before keeps its index through all passes. */
function earliest(first: Place | undefined, found: readonly RawFinding[], { calls }: Transcript): Place | undefined {
  let place = first
  for (const { rule, fix } of found) {
    if (rule.neutral) continue
    for (const step of fix) {
      const one = placeOfStep(step, calls)
      if (one && (!place || one[0] < place[0] || (one[0] === place[0] && one[1] < place[1]))) place = one
    }
  }
  return place
}

/** Edits of the history become edits of the request around it; those of the request itself stay. */
function rebase(edit: Edit, key: string): Edit {
  if (edit.op === 'set' && edit.path.length === 0) return edit
  return { ...edit, path: [key, ...edit.path] }
}

function isTarget(value: unknown): string | undefined {
  const { service, rules } = isObject(value) ? value : {}
  const { dialect, constraints } = isObject(service) ? service : {}
  return isObject(dialect) && isObject(constraints) && Array.isArray(rules) ? undefined : '{ service, rules }'
}
