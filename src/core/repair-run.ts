/**
 * One run of lint or repair: the value as it is after the passes so far, what the rules found in it, and where its messages came from.
 */
import { applyFixes } from './apply-fixes.ts'
import { apply, type Edit } from './edit.ts'
import type { Located } from './finding.ts'
import { placeOfStep } from './fix.ts'
import { isObject, type JsonObject } from './json.ts'
import { checkValue } from './options.ts'
import { type Policy, policyOf } from './policy.ts'
import type { Target } from './repair.ts'
import { historyOf, modelOf } from './repair-input.ts'
import type { Phase } from './rule.ts'
import { bindRules, type RawFinding, type RulesByPhase, runRules } from './run-rules.ts'
import { type Place, Transcript } from './transcript.ts'
import { type Group, roundsOf } from './turns.ts'

const NONE: readonly string[] = []

export class Run {
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
  /** What the rules of each phase have found in the transcript as it is now; undefined: not checked yet. */
  private inShape: readonly RawFinding[] | undefined
  private inStructure: readonly RawFinding[] | undefined

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
    if (phase === 'shape') {
      this.inShape ??= runRules(this.rules.shape, this.transcript)
      return this.inShape
    }
    this.inStructure ??= runRules(this.rules.structure, this.transcript)
    return this.inStructure
  }

  /** Both phases were checked, and nothing was found. */
  isValid(): boolean {
    return this.inShape?.length === 0 && this.inStructure?.length === 0
  }

  /** Fixes what is fixed by default; false if there was nothing. */
  fix(found: readonly RawFinding[]): boolean {
    const fixable = found.filter((one) => this.isFixed(one))
    if (fixable.length === 0) return false
    const { patch, origins } = this.patchFor(fixable)
    if (patch.length === 0) return false
    this.editedFrom = earliest(this.editedFrom, fixable, this.transcript)
    this.input = apply(this.input, patch)
    // Not push(...patch): a call takes some hundred thousand arguments at the most.
    for (const edit of patch) this.patch.push(edit)
    this.origins = origins.map((origin) => (origin < 0 ? -1 : this.originOf(origin)))
    const before = this.transcript
    this.transcript = this.read(before)
    this.transcript.reuseKeys(before, origins)
    this.inShape = this.inStructure = undefined
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
        isFixed: this.isFixed(raw),
        provider: target.provider,
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

  private read(before?: Transcript): Transcript {
    const { dialect } = this.target.service
    return new Transcript(historyOf(this.input, dialect.key), dialect, {
      request: Array.isArray(this.input) ? undefined : (this.input as JsonObject),
      inProgress: this.target.inProgress,
      policy: this.policy,
      convert: this.target.convert,
      editedFrom: this.editedFrom,
      before,
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
