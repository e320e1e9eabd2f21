/** Findings as callers see them. A fix is worked out when it is read: most findings are only counted or printed. */

import type { Patch } from './edit.ts'
import type { Path } from './json.ts'
import type { Finding } from './rule.ts'
import type { RawFinding } from './run-rules.ts'
import { type Group, groupAt } from './turns.ts'
import { wordOf } from './word.ts'

/** A finding with its place in what was given, and a way to work out its own patch. */
export interface Located {
  readonly raw: RawFinding
  readonly at: Path
  readonly fix: () => Patch
  /** The rounds of what was given. */
  readonly rounds: () => readonly Group[]
  /** The index of its message there. */
  readonly message: number | undefined
  /** Whether `repair` with these options makes the fix. */
  readonly isFixed: boolean
  /** The provider by name, for the message. */
  readonly provider: string | undefined
}

export function findingsOf(located: readonly Located[]): readonly Finding[] {
  return located.map((one) => new LazyFinding(one))
}

class LazyFinding implements Finding {
  readonly rule: string
  readonly severity: Finding['severity']
  readonly at: Path
  readonly id: string
  readonly data: Finding['data']
  readonly message: string
  readonly notKnown?: string
  readonly #located: Located
  #fix: Patch | undefined

  constructor(located: Located) {
    const { raw, at } = located
    this.#located = located
    this.rule = raw.rule.id
    this.severity = raw.severity
    this.at = at
    this.id = raw.id
    this.data = raw.data
    this.message = messageOf(located)
    if (raw.notKnown) this.notKnown = raw.notKnown.what
  }

  get fix(): Patch | undefined {
    if (this.#located.raw.fix.length > 0) this.#fix ??= this.#located.fix()
    return this.#fix
  }

  get round(): string | undefined {
    const { message, rounds } = this.#located
    return message === undefined || message < 0 ? undefined : groupAt(rounds(), message)?.name
  }

  toJSON(): Finding {
    const { rule, severity, at, round, id, data, message, notKnown, fix } = this
    return { rule, severity, at, round, id, data, message, notKnown, fix }
  }
}

/**
 * The text of a finding. Besides its data it may name `{index}`, `{provider}`, `{rejects}` and `{Repair}`. What follows
 * `{Repair}` is about the fix: left out if there is none.
 */
function messageOf({ raw, message, isFixed, provider = 'the provider' }: Located): string {
  const text = raw.rule.messages[raw.id] ?? raw.id
  const tail = text.indexOf(' {Repair}')
  const filled = fill(tail >= 0 && raw.fix.length === 0 ? text.slice(0, tail) : text, {
    index: message === undefined || message < 0 ? '(new)' : message,
    provider,
    rejects: `${provider} ${raw.severity === 'error' ? 'rejects' : 'may reject'}`,
    Repair: isFixed ? 'Repair' : 'With `strict`, repair',
    ...raw.data,
  })
  const whole = filled.startsWith('the ') ? `T${filled.slice(1)}` : filled
  const { notKnown } = raw
  if (!notKnown) return whole
  return `${whole} Suture does not know ${notKnown.what}${isFixed ? '.' : ', so it changes nothing here before a rejection or with `strict`.'}`
}

/** Texts cut at their `{key}`s, which are then at the odd places. As many as rules have messages. */
const pieces = new Map<string, readonly string[]>()

function fill(text: string, data: Finding['data']): string {
  let cut = pieces.get(text)
  if (!cut) {
    cut = text.split(/\{(\w+)\}/)
    pieces.set(text, cut)
  }
  let filled = cut[0]!
  for (let i = 1; i < cut.length; i += 2) {
    const key = cut[i]!
    filled += (Object.hasOwn(data, key) ? wordOf(data[key]) : `{${key}}`) + cut[i + 1]!
  }
  return filled
}
