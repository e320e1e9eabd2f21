/** Runs one subject over all trials and counts what each column of the repair table shows. */
import { judge } from '../../contract/judge.ts'
import { lostContent } from '../../test/content-kept.ts'
import { peerHistories } from '../../test/peer-histories.ts'
import { canonical, inventedBytes, keptOf, type Share } from './content.ts'
import type { Outcome, Subject } from './peer.ts'
import type { Plain } from './plain.ts'
import type { Trial } from './trials.ts'
import { requestOf, type Target, targets } from './wires.ts'

export interface Row {
  readonly name: string
  readonly version: string
  readonly usage: string
  /** Broken histories that it was given, and on how many it threw. */
  readonly histories: number
  readonly threw: number
  readonly accepted: Readonly<Record<string, Share>>
  readonly outputs: Share
  readonly calls: Share
  readonly texts: Share
  readonly inventedBytes: number
  readonly idempotent: Share
  readonly validUnchanged: Share
  readonly pendingLeft: Share
  readonly reported: Share | undefined
  readonly undone: Share | undefined
  /**
   * By trial and provider, the bytes that were added, if the outcome is valid and complete. Not written to the results.
   */
  readonly complete: ReadonlyMap<string, number>
  /** The names of the fourteen, and what became of them. */
  readonly fourteen: Readonly<Record<string, string>>
  /** The first failures, to look into a row. */
  readonly failures: readonly string[]
}

export interface Trials {
  readonly broken: readonly Trial[]
  readonly valid: readonly Trial[]
  readonly pending: readonly Trial[]
}

const MAX_FAILURES = 5

export async function scored(subject: Subject, { broken, valid, pending }: Trials): Promise<Row> {
  const own = targets.filter(({ provider }) => subject.providers?.includes(provider) ?? true)
  const isSuture = subject.name === 'suture'
  const holds = (trial: Trial) =>
    (isSuture || trial.isPlain) && (subject.holds?.(trial.history as readonly Plain[]) ?? true)
  const tally = new Tally(own)
  for (const trial of broken.filter(holds)) await tally.add(subject, trial)
  const [unchanged, left] = [valid.filter(holds), pending.filter(holds)]
  const known = new Tally(own)
  for (const trial of unchanged.filter(({ name }) => Object.hasOwn(peerHistories, name)))
    await known.add(subject, { ...trial, kind: 'fourteen' })
  const counted = tally.counted()
  return {
    name: subject.name,
    version: subject.version,
    usage: subject.usage,
    ...counted,
    fourteen: { ...known.counted().fourteen, ...counted.fourteen },
    validUnchanged: await countOf(unchanged, (trial) => isUnchanged(subject, trial, own, false)),
    pendingLeft: await countOf(left, (trial) => isUnchanged(subject, trial, own, true)),
  }
}

async function countOf(trials: readonly Trial[], holds: (trial: Trial) => Promise<boolean>): Promise<Share> {
  let kept = 0
  for (const trial of trials) if (await holds(trial)) kept++
  return { kept, of: trials.length }
}

async function isUnchanged(subject: Subject, { history }: Trial, own: readonly Target[], isPending: boolean) {
  for (const target of own) {
    const outcome = await attempted(subject, history, target, isPending)
    const before = target.wire.from(target.wire.to(history as readonly Plain[]))
    if (!outcome || canonical(outcome.plain) !== canonical(before)) return false
  }
  return true
}

async function attempted(subject: Subject, history: readonly unknown[], target: Target, isPending = false) {
  try {
    return await subject.repair(history, target, isPending)
  } catch {
    return undefined
  }
}

/** The counts of broken trials. */
class Tally {
  readonly #targets: readonly Target[]
  readonly #accepted = new Map<string, { kept: number; of: number }>()
  readonly #sums = {
    outputs: zero(),
    calls: zero(),
    texts: zero(),
    idempotent: zero(),
    reported: zero(),
    undone: zero(),
  }
  readonly #complete = new Map<string, number>()
  readonly #fourteen: Record<string, string> = {}
  readonly #failures: string[] = []
  #histories = 0
  #threw = 0
  #invented = 0
  #answers = 0

  constructor(own: readonly Target[]) {
    this.#targets = own
  }

  async add(subject: Subject, trial: Trial): Promise<void> {
    this.#histories++
    const served = trial.isPlain ? this.#targets : this.#targets.filter(({ endpoint }) => endpoint === 'chat')
    const notes: string[] = []
    for (const target of served) {
      const earlier = notes.length
      const outcome = await attempted(subject, trial.history, target)
      const problem = outcome ? this.#judged(outcome, trial, target) : 'threw'
      const count = this.#accepted.get(target.provider) ?? zero()
      this.#accepted.set(target.provider, { kept: count.kept + (problem ? 0 : 1), of: count.of + 1 })
      if (problem) notes.push(`${target.provider}: ${problem}`)
      if (!outcome) continue
      const bytes = this.#compared(outcome, trial, notes)
      await this.#repeated(subject, outcome, target, notes)
      if (notes.length === earlier) this.#complete.set(`${trial.name} ${target.provider}`, bytes)
    }
    if (notes.some((note) => note.endsWith(': threw'))) this.#threw++
    if (trial.kind === 'fourteen')
      this.#fourteen[trial.name] = notes.length === 0 ? 'ok' : [...new Set(notes)].join('; ')
    if (notes[0] && this.#failures.length < MAX_FAILURES) this.#failures.push(`${trial.name}: ${notes[0]}`)
  }

  #judged({ messages }: Outcome, { history }: Trial, target: Target): string | undefined {
    const { provider, endpoint, model } = target
    const verdict = judge({ provider, endpoint, model, body: requestOf(messages, history as readonly Plain[], target) })
    return verdict.accepted ? undefined : verdict.rule
  }

  /** Adds what was kept and invented; a loss is noted. Returns the invented bytes. */
  #compared({ messages, plain, reported, undone }: Outcome, { history, isPlain }: Trial, notes: string[]): number {
    if (reported !== undefined) add(this.#sums.reported, { kept: Number(reported), of: 1 })
    if (undone !== undefined) add(this.#sums.undone, { kept: Number(undone), of: 1 })
    if (!isPlain) return this.#searched(history, messages, notes)
    const before = history as readonly Plain[]
    const kept = keptOf(before, plain)
    for (const name of ['outputs', 'calls', 'texts'] as const) {
      add(this.#sums[name], kept[name])
      if (kept[name].kept < kept[name].of) notes.push(`${name} lost`)
    }
    const bytes = inventedBytes(before, plain)
    this.#invented += bytes
    this.#answers++
    return bytes
  }

  /** A history in another form, which only Suture is given: no long string of it may be missing. */
  #searched(before: unknown, after: unknown, notes: string[]): number {
    const lost = lostContent(before, after)
    add(this.#sums.outputs, { kept: Number(lost === undefined), of: 1 })
    if (lost !== undefined) notes.push('outputs lost')
    return 0
  }

  async #repeated(subject: Subject, { plain, isSettled }: Outcome, target: Target, notes: string[]): Promise<void> {
    const again = isSettled === undefined ? await attempted(subject, plain, target) : undefined
    const isSame = isSettled ?? (again !== undefined && canonical(again.plain) === canonical(plain))
    add(this.#sums.idempotent, { kept: Number(isSame), of: 1 })
    if (!isSame) notes.push('not idempotent')
  }

  counted() {
    const { reported, undone, ...sums } = this.#sums
    return {
      histories: this.#histories,
      threw: this.#threw,
      accepted: Object.fromEntries(this.#accepted),
      ...sums,
      inventedBytes: this.#answers === 0 ? 0 : Math.round(this.#invented / this.#answers),
      reported: reported.of > 0 ? reported : undefined,
      undone: undone.of > 0 ? undone : undefined,
      complete: this.#complete,
      fourteen: this.#fourteen,
      failures: this.#failures,
    }
  }
}

function zero(): { kept: number; of: number } {
  return { kept: 0, of: 0 }
}

function add(sum: { kept: number; of: number }, { kept, of }: Share): void {
  sum.kept += kept
  sum.of += of
}
