/**
 * Lint and repair of a history for one service. Pure: JSON in, JSON out; the same input gives the same bytes.
 * A bad history is a finding; only wrong use throws.
 */
import { type Cause, causes } from './cause.ts'
import { apply, type Edit, type Patch } from './edit.ts'
import { SutureError } from './error.ts'
import type { Found, Policy } from './found.ts'
import { type Group, groupAt, rounds } from './groups.ts'
import { isObject, type JsonObject, type Path } from './json.ts'
import type { Service } from './law.ts'
import { mend } from './mend.ts'
import { checkValue, given, unknownName } from './options.ts'
import { planFor } from './plan.ts'
import type { Finding, Rule } from './rule.ts'
import { Walk } from './walk.ts'

export interface Target {
  readonly service: Service
  readonly rules: readonly Rule[]
  readonly model?: string | undefined
  /** The history is about to be sent: a call that might still be answered will not be. */
  readonly sending?: boolean | undefined
  /** Mend warnings too: what is disputed, or only assumed. */
  readonly strict?: boolean | undefined
  /** Rules by which the provider has just refused this history. */
  readonly refused?: readonly string[] | undefined
  readonly policy?: Partial<Policy> | undefined
  /** Why results are missing, where the caller knows. */
  readonly cause?: Cause | undefined
}

export interface Repaired<T> {
  /** What was given, mended; the very same value when there was nothing to mend. */
  readonly history: T
  readonly patch: Patch
  readonly findings: readonly Finding[]
  /** What lint still finds in the outcome, at its places there. */
  readonly left: readonly Finding[]
}

const choices = {
  unanswered: ['answer', 'omit'],
  orphan: ['note', 'drop', 'rebuild'],
  duplicate: ['best', 'first', 'last'],
} as const

export function lint(input: unknown, target: Target): readonly Finding[] {
  return findingsOf(walkOf(input, target), target)
}

/** A mend can bring together what no rule has seen side by side, so the outcome is walked again; three rounds have always been enough. */
const ROUNDS = 4

export function repair<T>(input: T, target: Target): Repaired<T> {
  let walk = walkOf(input, target)
  const findings = findingsOf(walk, target)
  const patch: Edit[] = []
  let history = input
  for (let round = 0; round < ROUNDS; round++) {
    const edits = patchOf(
      walk,
      walk.found.filter((found) => walk.mends(found)),
      target,
    )
    if (edits.length === 0) break
    for (const edit of edits) patch.push(edit)
    history = apply(history, edits)
    walk = walkOf(history, target, walk)
  }
  return { history, patch, findings, left: patch.length === 0 ? findings : findingsOf(walk, target) }
}

function findingsOf(walk: Walk, target: Target): readonly Finding[] {
  const origin: Origin = { walk, target, fixes: new Map() }
  return walk.found.map((found) => new LazyFinding(found, origin))
}

function patchOf(walk: Walk, found: readonly Found[], target: Target): Patch {
  if (found.length === 0) return []
  const patch = mend(walk, found, target.cause ?? 'lost')
  return walk.body ? patch.map((edit) => rebase(edit, walk.dialect.key)) : patch
}

/** Edits of the history become edits of the body around it; those of the body itself stay. */
function rebase(edit: Patch[number], key: string): Patch[number] {
  if (edit.op === 'set' && edit.path.length === 0) return edit
  return { ...edit, path: [key, ...edit.path] }
}

/** Where findings come from, and the fixes somebody has asked for. */
interface Origin {
  readonly walk: Walk
  readonly target: Target
  readonly fixes: Map<Found, Patch>
  /** Read once, for the first finding whose round is asked for. */
  groups?: readonly Group[]
}

/** A finding whose fix is worked out when somebody asks: most are only counted or printed. */
class LazyFinding implements Finding {
  // Only declared: a field that is made before it is filled costs as much again, and there may be very many findings.
  declare readonly rule: string
  declare readonly severity: Finding['severity']
  declare readonly at: Path
  declare readonly id: string
  declare readonly data: Finding['data']
  declare readonly message: string
  readonly #found: Found
  readonly #origin: Origin

  constructor(found: Found, origin: Origin) {
    this.#found = found
    this.#origin = origin
    const { rule, severity } = found.bound
    const { body, dialect } = origin.walk
    this.rule = rule.id
    this.severity = severity
    this.at = body ? [dialect.key, ...found.at] : found.at
    this.id = found.id
    this.data = found.data
    this.message = fill(rule.messages[found.id] ?? found.id, found.data)
  }

  get fix(): Patch | undefined {
    const { walk, target, fixes } = this.#origin
    if (this.#found.steps.length === 0) return undefined
    let fix = fixes.get(this.#found)
    if (!fix) {
      fix = patchOf(walk, [this.#found], target)
      fixes.set(this.#found, fix)
    }
    return fix
  }

  get round(): string | undefined {
    const [place] = this.#found.at
    const origin = this.#origin
    if (typeof place !== 'number' || place < 0) return undefined
    origin.groups ??= rounds(origin.walk.history, origin.walk.dialect)
    return groupAt(origin.groups, place)?.name
  }

  toJSON(): Finding {
    const { rule, severity, at, round, id, data, message, fix } = this
    return { rule, severity, at, round, id, data, message, fix }
  }
}

/** Texts cut at their `{key}`s, which then stand at the odd places. There are as many as rules have messages. */
const cut = new Map<string, readonly string[]>()

function fill(text: string, data: Finding['data']): string {
  let pieces = cut.get(text)
  if (!pieces) {
    pieces = text.split(/\{(\w+)\}/)
    cut.set(text, pieces)
  }
  let filled = pieces[0]!
  for (let i = 1; i < pieces.length; i += 2) {
    const key = pieces[i]!
    filled += (Object.hasOwn(data, key) ? String(data[key]) : `{${key}}`) + pieces[i + 1]!
  }
  return filled
}

function walkOf(input: unknown, target: Target, earlier?: Walk): Walk {
  checkValue('The target', target, isTarget, 'Or use lint and repair of "suture", which take a provider by its name.')
  const { service } = target
  const history = historyOf(input, service.dialect.key)
  const body = Array.isArray(input) ? undefined : (input as JsonObject)
  const model = target.model ?? (typeof body?.['model'] === 'string' ? body['model'] : undefined)
  const options = {
    history,
    body,
    plan: planFor({ service, model, rules: target.rules, refused: target.refused ?? [] }),
    sending: target.sending ?? false,
    strict: target.strict ?? false,
    policy: policyOf(target.policy, target.cause),
    earlier,
  }
  if (history.length >= LONG || walks++ % OFTEN === 0)
    kept[0] = new Walk({ ...options, history: [], body: undefined }).run()
  return new Walk(options).run()
}

/** A walk over nothing, made anew from time to time, since what it is made of changes its shape with use: see decision 0021. */
const kept: Walk[] = []
const LONG = 1000
const OFTEN = 256
let walks = 0

function historyOf(input: unknown, key: string): readonly unknown[] {
  if (Array.isArray(input)) return input
  if (isObject(input) && Array.isArray(input[key])) return input[key]
  // OpenAI's `input` may be plain text: one prompt and nothing that could be broken.
  if (isObject(input) && typeof input[key] === 'string') return []
  throw new SutureError(
    'not-a-history',
    `Expected a list of messages or a request body with a list under "${key}", but got ${given(input)}. Pass the array itself, or say the dialect it is in.`,
  )
}

function isTarget(value: unknown): string | undefined {
  const { service, rules } = isObject(value) ? value : {}
  const { dialect, laws } = isObject(service) ? service : {}
  return isObject(dialect) && isObject(laws) && Array.isArray(rules) ? undefined : '{ service, rules }'
}

function policyOf(policy: Partial<Policy> | undefined, cause: Cause | undefined): Policy {
  if (policy === undefined && cause === undefined) return USUAL
  return { ...USUAL, ...checked(policy, cause) }
}

const USUAL: Policy = { unanswered: 'answer', orphan: 'note', duplicate: 'best' }

function checked(policy: Partial<Policy> = {}, cause: Cause | undefined): Partial<Policy> {
  for (const [name, choice] of Object.entries(policy)) {
    const allowed: readonly string[] | undefined = Object.hasOwn(choices, name)
      ? choices[name as keyof Policy]
      : undefined
    if (allowed?.includes(choice)) continue
    const known = allowed
      ? `"${name}" is one of ${allowed.join(', ')}`
      : `The classes are ${Object.keys(choices).join(', ')}`
    throw new SutureError('unknown-policy', `There is no policy ${name}: ${String(choice)}. ${known}.`, {
      name,
      choice,
    })
  }
  if (cause !== undefined && !causes.includes(cause)) {
    throw unknownName('cause', String(cause), causes)
  }
  return policy
}
