/**
 * What a rule is: checks that the one walk calls, and beside it what is said of the rule to people.
 * A rule never names a dialect or a provider: what differs between them is in its law.
 */
import type { Change } from './dialect.ts'
import type { Place } from './found.ts'
import type { Path } from './json.ts'
import type { Law, Severity } from './law.ts'
import type { Quiet } from './look.ts'
import type { Outline, Part, Role } from './part.ts'
import type { Stray } from './strays.ts'
import type { Walk } from './walk.ts'

export interface Rule {
  readonly id: string
  /** `safe`: nothing said is dropped and nothing unsaid is added. `lossy`: something is. `none`: only a person can mend it. */
  readonly repair: 'safe' | 'lossy' | 'none'
  /** Its message check has nothing to say of a message whose role is known and whose content says something: it is not asked then. */
  readonly odd?: boolean
  /** Its mends change nothing that a signature covers: what stands behind them stays valid. */
  readonly aside?: boolean
  /** What of a plain message its checks would not speak of (`look.ts`); undefined, or left out: it has to see every message. */
  readonly quiet?: (bound: Bound, strict: boolean) => Quiet | undefined
  /** What a finding says, by message id; `{key}` is filled from its data. */
  readonly messages: Readonly<Record<string, string>>
  readonly checks: Checks
}

/** What is said of a rule. Only who explains needs it: a bundle that lints and repairs leaves it out. */
export interface Explanation {
  /** What must hold, in one sentence. */
  readonly says: string
  /** What happens otherwise. */
  readonly why: string
  /** How providers word it; an error text leads back to the rule by these. */
  readonly refusals: readonly RegExp[]
}

export interface Checks {
  readonly text?: PartCheck
  readonly call?: PartCheck
  readonly result?: PartCheck
  readonly reasoning?: PartCheck
  readonly media?: PartCheck
  readonly opaque?: PartCheck
  readonly message?: (message: MessageView, bound: Bound, walk: Walk) => void
  /** A call that nothing answers and that is not pending; place in `walk.pairing`. */
  readonly unanswered?: (call: number, bound: Bound, walk: Walk) => void
  /** A result that was not in the slot of a waiting call. */
  readonly stray?: (stray: Stray, bound: Bound, walk: Walk) => void
  /** Two neighbours, systems left out; undefined: the beginning or the end, with the last message that is no system's. Also asked while mending. */
  readonly junction?: (
    before: Outline | undefined,
    after: Outline | undefined,
    bound: Bound,
    sending: boolean,
    last?: unknown,
  ) => Remedy | undefined
  /** After the last message. */
  readonly end?: (walk: Walk, bound: Bound) => void
  /** The mends of all other rules begin here: what they do to what stands behind. */
  readonly edited?: (first: Place, bound: Bound, walk: Walk) => void
}

export type PartCheck = (part: Part, bound: Bound, walk: Walk) => void

/** A rule bound to the law of one provider, for one model. */
export interface Bound {
  readonly rule: Rule
  readonly law: Law
  readonly severity: Severity
  /** The provider has just refused a history by this rule: do what only then is right. */
  readonly refused: boolean
}

/** Whether the law is about this finding of its rule. */
export function speaksOf({ law }: Bound, id: string): boolean {
  return law.of === undefined || law.of.includes(id)
}

export interface MessageView {
  readonly index: number
  readonly role: Role
  readonly message: unknown
  readonly parts: readonly Part[]
}

/** What a junction needs. */
export type Remedy =
  | { readonly do: 'merge'; readonly message: string }
  | { readonly do: 'insert'; readonly role: 'user' | 'assistant'; readonly text: string; readonly message: string }

/** One step of a mend. Steps of all findings are done together, by place, so their order does not matter. */
export type Step =
  /** Through the dialect: another id, name, arguments or text. */
  | { readonly do: 'write'; readonly part: Part; readonly change: Change }
  /** On the native value itself. */
  | { readonly do: 'replace'; readonly part: Part; readonly with: (value: unknown) => unknown }
  | { readonly do: 'remove'; readonly part: Part }
  /** The part leaves its message for a copy of it right behind, together with all others that do. */
  | { readonly do: 'apart'; readonly part: Part }
  /** Calls that stand in another's message: from now on in one of the assistant's own, right behind. */
  | { readonly do: 'assign'; readonly part: Part }
  /** On the native message itself; undefined takes it out. */
  | { readonly do: 'rewrite'; readonly message: number; readonly with: (message: unknown) => unknown }
  /** The message, as it is then, stands behind another one from now on. */
  | { readonly do: 'move'; readonly message: number; readonly after: number }
  /** A message behind this one. */
  | { readonly do: 'insert'; readonly after: number; readonly value: unknown }
  /** The round of this call gets its results in place, made up where there are none. */
  | { readonly do: 'settle'; readonly call: number }
  /** The result leaves its place and is said as the user's note, or its call is made anew. */
  | { readonly do: 'note'; readonly part: Part; readonly as: 'note' | 'call'; readonly label: string }
  /** Its neighbours are looked at again; `behind`: only what follows it changes. */
  | { readonly do: 'touch'; readonly message: number; readonly behind?: boolean }
  /** A key of the request body beside the history. */
  | { readonly do: 'body'; readonly key: string; readonly value: unknown }

export interface Finding {
  readonly rule: string
  readonly severity: Severity
  /** Where, from the root of what was given. */
  readonly at: Path
  /** The round it is in, for logs: `turn 12, round 3`. Undefined: it is about the request as a whole. */
  readonly round?: string | undefined
  /** Which of the rule's messages, and what it is filled with. */
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
  readonly message: string
  /** The patch that mends this finding alone. */
  readonly fix?: import('./edit.ts').Patch | undefined
}

const NOTHING: Quiet = {}

/** For a rule that no plain message makes speak, unless its provider has just refused by it. */
export function silent({ refused }: Bound): Quiet | undefined {
  return refused ? undefined : NOTHING
}

export function defineRule(rule: Rule): Rule {
  return rule
}
