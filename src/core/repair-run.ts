/** One run of lint or repair: its passes, the edits that they made, and where the messages came from. */
import { applyFixes } from './apply-fixes.ts'
import { apply, type Edit } from './edit.ts'
import type { Located } from './finding.ts'
import { placeOfStep } from './fix.ts'
import { isObject } from './json.ts'
import { checkValue } from './options.ts'
import { Pass } from './pass.ts'
import { policyOf } from './policy.ts'
import type { Target } from './repair.ts'
import { historyOf, modelOf } from './repair-input.ts'
import type { Phase } from './rule.ts'
import { bindRules, type RawFinding } from './run-rules.ts'
import type { Place, Transcript } from './transcript.ts'
import { type Group, roundsOf } from './turns.ts'
import { WorkLimit } from './work-limit.ts'

const NONE: readonly string[] = []

export class Run {
  readonly patch: Edit[] = []
  private readonly target: Target
  private readonly given: Pass
  private pass: Pass
  private rounds: readonly Group[] | undefined
  /** For each message the index that it had in what was given; -1: it is new. */
  private origins: readonly number[] | undefined

  constructor(input: unknown, target: Target) {
    checkValue('The target', target, isTarget, 'Or use lint and repair of "suture", which take a provider by its name.')
    this.target = target
    const { service, rules, rejectedBy = NONE, strict = false, inProgress, convert, uninvited } = target
    this.given = this.pass = new Pass(input, {
      dialect: service.dialect,
      rules: bindRules({ service, model: modelOf(input, target.model), rules, rejectedBy, strict }),
      policy: policyOf(target.policy, target.cause),
      inProgress,
      convert,
      limit: new WorkLimit(historyOf(input, service.dialect.key), target.findingLimit),
      rejectedBy,
      versions: uninvited,
    })
  }

  /** The value as it is after the fixes so far. */
  get input(): unknown {
    return this.pass.input
  }

  check(phase: Phase): readonly RawFinding[] {
    return this.pass.check(phase)
  }

  /** Both phases were checked, and nothing was found. */
  isValid(): boolean {
    return this.pass.isValid()
  }

  /** Fixes what is fixed by default; false if there was nothing. */
  fix(found: readonly RawFinding[]): boolean {
    const fixable = found.filter((one) => this.isFixed(one))
    if (fixable.length === 0) return false
    const { transcript, input, editedFrom } = this.pass
    const { patch, origins } = this.patchAt(transcript, fixable)
    if (patch.length === 0) return false
    // Not push(...patch): a call takes some hundred thousand arguments at the most.
    for (const edit of patch) this.patch.push(edit)
    this.origins = origins.map((origin) => (origin < 0 ? -1 : this.originOf(origin)))
    this.pass = this.pass.next(apply(input, patch), origins, earliest(editedFrom, fixable, transcript))
    return true
  }

  /** Findings of one phase with their places in what was given. */
  locate(found: readonly RawFinding[]): Located[] {
    if (found.length === 0) return []
    const { pass, target, origins } = this
    const edits = this.patch.length
    const prefix = pass.transcript.request ? [target.service.dialect.key] : []
    return found.map((raw, i) => {
      const at = origins ? this.placeBefore(raw.at) : raw.at
      return {
        raw,
        at: prefix.length > 0 ? [...prefix, ...at] : at,
        message: typeof at[0] === 'number' ? at[0] : undefined,
        isFixed: this.isFixed(raw),
        provider: target.provider,
        fix: () => {
          // The finding as this pass knows it now: `raw` holds parts that a later pass has taken over.
          const own = pass.check(raw.rule.phase)[i]!
          return [...this.patch.slice(0, edits), ...this.patchAt(pass.transcript, [own]).patch]
        },
        rounds: () => this.roundsGiven(),
      }
    })
  }

  private isFixed({ fix, severity, harmless, notKnown }: RawFinding): boolean {
    const { strict, uninvited } = this.target
    if (notKnown && uninvited) return false
    const isMade = notKnown ? !notKnown.decides : severity === 'error' || harmless
    return fix.length > 0 && (isMade || strict === true)
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
    this.rounds ??= roundsOf(this.given.transcript)
    return this.rounds
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
