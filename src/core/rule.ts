/**
 * A rule: one function over the transcript, with typed parameters. It keeps no state, does not ask other rules, and
 * names no dialect and no provider: what differs between them is in its constraint, or in the dialect.
 */
import type { ConstraintBase, Severity } from './constraint.ts'
import type { Dialect } from './dialect.ts'
import type { Patch } from './edit.ts'
import type { Fix } from './fix.ts'
import type { Path } from './json.ts'
import type { Part } from './part.ts'
import type { Transcript } from './transcript.ts'

/** `shape` rules bring one message at a time into its wire schema. `structure` rules see only wire shape. */
export type Phase = 'shape' | 'structure'

/** A list of parts in the transcript. */
export type PartList = 'calls' | 'results' | 'texts' | 'reasoning' | 'media' | 'opaque' | 'serverParts'

/** Something about a message that few histories have. */
export type MessageFault = 'null-content' | 'no-content' | 'unknown-role'

/** What a rule looks at. One of these is enough for it to be checked. */
export interface About {
  readonly parts?: readonly PartList[]
  readonly messages?: readonly MessageFault[]
  /** Keys of a message or of anything in one. */
  readonly keys?: readonly string[]
  /** Keys of a message itself. */
  readonly messageKeys?: readonly string[]
  /** The request around the history, whatever it holds. */
  readonly request?: boolean
  /** Every history. Its keys are those that it asks the key index for. */
  readonly always?: boolean
}

/** One fault that a provider rejects: how to find it, and how to repair it. */
export interface Rule<Id extends string = string, Params extends object = object, Message extends string = string> {
  readonly id: Id
  readonly phase: Phase
  /** `safe`: nothing is lost and nothing is invented. `lossy`: something is. `none`: only a person can repair it. */
  readonly repair: 'safe' | 'lossy' | 'none'
  /** All that the rule looks at: it is not checked in a history that has none of it. */
  about?(constraint: Bound<Params>, dialect: Dialect): About
  /** Nothing in a history shows its fault: it is checked only after a rejection that names it. */
  readonly afterRejection?: true
  /** Its fixes change nothing that a signature covers. */
  readonly neutral?: true
  /** It is about characters, whatever the parts mean that hold them. */
  readonly aboutText?: true
  /** What a finding says, by message id; `{key}` is filled from its data. */
  readonly messages: Readonly<Record<Message, string>>
  check(transcript: Transcript, constraint: Bound<Params>, report: Report<Message>): void
}

/** The parameters of a constraint, and how it applies to this request. */
export type Bound<Params extends object = object> = Params & {
  readonly severity: Severity
  /** The provider has just rejected this history by this rule: do what is right only then. */
  readonly rejected: boolean
  /** Warnings are repaired, too. */
  readonly strict: boolean
  /** Messages that are only a warning. */
  readonly assumed?: readonly string[]
}

/** How a single finding differs from others of its rule. */
export interface ReportOptions {
  /** Lower than that of the constraint, where this finding is less certain. */
  readonly severity?: Severity | undefined
  /** The fix changes nothing that a model or a person can read: it is made even for a warning. */
  readonly harmless?: boolean
  /** What is not known about the part itself: the finding is a warning, and its fix waits for a rejection. */
  readonly notKnown?: string | undefined
  /** No other rule is checked before this is repaired: they could only misread the message. */
  readonly first?: boolean
}

/** Reports a finding: which message, where, its data, and the repair. */
export type Report<Message extends string = string> = (
  message: Message,
  at: Part | Path,
  data: Readonly<Record<string, unknown>>,
  fix?: Fix,
  options?: ReportOptions,
) => void

/** Documentation of a rule. Separate from the rule, so that a bundle that only lints and repairs leaves it out. */
export interface Explanation {
  /** What must hold, in one sentence. */
  readonly summary: string
  /** What happens otherwise. */
  readonly why: string
  /** What the repair does. Absent: only a person can repair it. */
  readonly repair?: string
}

/** `Id`: the ids of the rules that were run. */
export interface Finding<Id extends string = string> {
  readonly rule: Id
  readonly severity: Severity
  /** Path from the root of what was given. */
  readonly at: Path
  /** The round it is in, for logs: `turn 12, round 3`. Undefined: it is about the request as a whole. */
  readonly round?: string | undefined
  /** Which of the rule's messages, and what it is filled with. */
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
  readonly message: string
  /** What the finding relies on and Suture does not know: the fault is only a warning for that. */
  readonly notKnown?: string | undefined
  /** The patch that fixes this finding alone. */
  readonly fix?: Patch | undefined
}

/** A rule without parameters. */
// biome-ignore lint/complexity/noBannedTypes: no parameters, and nothing else may be given
export type NoParams = {}

/** A constraint of this rule. `assumed`: its messages that are a warning until the provider rejects the history. */
export type ConstraintOf<R> =
  R extends Rule<string, infer Params, infer Message>
    ? ConstraintBase & Params & { readonly assumed?: readonly Message[] }
    : never

/** Infers the id, the parameters (from the type of `check`'s second argument) and the message ids. */
export function defineRule<const Id extends string, Params extends object, Message extends string>(
  rule: Rule<Id, Params, Message>,
): Rule<Id, Params, Message> {
  return rule
}

/** The fix of a fault that nothing in a history shows. */
export function defineAfterRejection<const Id extends string, Params extends object, Message extends string>(
  rule: Rule<Id, Params, Message>,
): Rule<Id, Params, Message> {
  return { ...rule, afterRejection: true }
}
