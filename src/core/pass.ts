/**
 * The value between two fixes of a run: its transcript, and what the rules find in it.
 * Both are dropped when the next pass begins, and made again if a finding is asked for its own fix later.
 */
import type { Dialect } from './dialect.ts'
import type { JsonObject } from './json.ts'
import type { Policy } from './policy.ts'
import { historyOf } from './repair-input.ts'
import type { Phase } from './rule.ts'
import { asUnderstood, type BoundRules, type RawFinding, runRules } from './run-rules.ts'
import { type Place, type ReadBefore, Transcript } from './transcript.ts'
import type { WorkLimit } from './work-limit.ts'

/** What is the same in all passes of a run. */
export interface PassOptions {
  readonly dialect: Dialect
  readonly rules: BoundRules
  readonly policy: Policy
  readonly inProgress: boolean | undefined
  readonly convert: boolean | undefined
  readonly limit: WorkLimit
  /** Rules by which the provider has just rejected, and versions of the request that are not known. */
  readonly rejectedBy: readonly string[]
  readonly versions: (() => readonly string[]) | undefined
}

export class Pass {
  readonly input: unknown
  /** The first place that the passes before have changed in a way that a signature covers. */
  readonly editedFrom: Place | undefined
  private readonly options: PassOptions
  private read: Transcript | undefined
  private found: Partial<Record<Phase, readonly RawFinding[]>> = {}

  constructor(input: unknown, options: PassOptions, editedFrom?: Place, before?: ReadBefore) {
    this.input = input
    this.options = options
    this.editedFrom = editedFrom
    this.read = this.readInput(before)
  }

  get transcript(): Transcript {
    this.read ??= this.readInput()
    return this.read
  }

  /** What the rules of a phase find. */
  check(phase: Phase): readonly RawFinding[] {
    const { rules, limit } = this.options
    this.found[phase] ??= asUnderstood(runRules(rules[phase], this.transcript, limit), this.transcript, this.options)
    return this.found[phase]
  }

  /** Both phases were checked, and nothing was found. */
  isValid(): boolean {
    return this.found.shape?.length === 0 && this.found.structure?.length === 0
  }

  /** The pass after an edit. It takes over the parts that this one has read. */
  next(input: unknown, origins: readonly number[], editedFrom: Place | undefined): Pass {
    const { transcript } = this
    this.read = undefined
    this.found = {}
    return new Pass(input, this.options, editedFrom, { transcript, origins })
  }

  private readInput(before?: ReadBefore): Transcript {
    const { dialect, rules, policy, inProgress, convert, limit } = this.options
    return new Transcript(historyOf(this.input, dialect.key), dialect, {
      request: Array.isArray(this.input) ? undefined : (this.input as JsonObject),
      inProgress,
      policy,
      convert,
      editedFrom: this.editedFrom,
      before,
      keys: rules.keys,
      limit,
    })
  }
}
