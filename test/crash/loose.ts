/**
 * A log in memory with pauses where a database would be asked, and one of the classic bugs of order in it; without a
 * bug it is valid. Writers are functions of one process here: the same seed gives the same interleaving.
 */
import { type Event, violations } from './checker.ts'
import { below, type Random, randomOf } from './matrix-row.ts'

export const orderBugs = [
  'sequence-order',
  'read-then-insert',
  'empty-append-moves-head',
  'ignores-expected-head',
] as const

export type OrderBug = (typeof orderBugs)[number]

class Loose {
  private rows: { seq: number; op: string }[] = []
  private head = 0
  private sequence = 0
  private lock: Promise<unknown> = Promise.resolve()
  private readonly bug: OrderBug | undefined
  private readonly random: Random

  constructor(bug: OrderBug | undefined, random: Random) {
    this.bug = bug
    this.random = random
  }

  /** One turn of the event loop or several: a round trip. */
  async pause(): Promise<void> {
    for (let left = below(this.random, 4); left > 0; left--) await new Promise((done) => setImmediate(done))
  }

  async append(
    op: string,
    count: number,
    expected: number | 'any',
  ): Promise<{ first: number; last: number } | 'conflict'> {
    if (count === 0) return this.nothing()
    if (this.bug === 'sequence-order') return this.bySequence(op, count, expected)
    if (this.bug === 'read-then-insert') return this.insert(op, count, expected)
    return this.locked(() => this.insert(op, count, expected))
  }

  async all(): Promise<readonly (readonly [number, string])[]> {
    await this.pause()
    const end = this.bug === 'sequence-order' ? Number.POSITIVE_INFINITY : this.head
    const rows = this.rows.filter(({ seq }) => seq <= end).map(({ seq, op }) => [seq, op] as const)
    return rows.sort((a, b) => a[0] - b[0])
  }

  private locked<T>(work: () => Promise<T>): Promise<T> {
    const run = this.lock.then(work)
    this.lock = run.catch(() => {})
    return run
  }

  private async insert(
    op: string,
    count: number,
    expected: number | 'any',
  ): Promise<{ first: number; last: number } | 'conflict'> {
    const { head } = this
    await this.pause()
    if (expected !== 'any' && expected !== head && this.bug !== 'ignores-expected-head') return 'conflict'
    for (let i = 1; i <= count; i++) this.rows.push({ seq: head + i, op })
    this.head = head + count
    return { first: head + 1, last: head + count }
  }

  private async bySequence(
    op: string,
    count: number,
    expected: number | 'any',
  ): Promise<{ first: number; last: number } | 'conflict'> {
    if (expected !== 'any' && expected !== this.sequence) return 'conflict'
    const first = this.sequence + 1
    this.sequence += count
    await this.pause()
    for (let i = 0; i < count; i++) this.rows.push({ seq: first + i, op })
    return { first, last: first + count - 1 }
  }

  private async nothing(): Promise<{ first: number; last: number }> {
    const { head } = this
    await this.pause()
    if (this.bug === 'empty-append-moves-head') this.head = head
    return { first: head + 1, last: head }
  }
}

/** Eight writers at once; what is wrong with what they saw. */
export async function looseRun(bug: OrderBug | undefined, seed: number): Promise<string[]> {
  const random = randomOf(seed)
  const log = new Loose(bug, random)
  const events: Event[] = []
  let clock = 0
  const writer = async (name: number) => {
    for (let i = 0; i < 20; i++) {
      const op = `w${name}.${i}`
      const begun = clock++
      const exact = random() < 0.3
      const expected = exact ? ((await log.all()).at(-1)?.[0] ?? 0) : 'any'
      const answer = await log.append(op, below(random, 3), expected)
      if (answer === 'conflict') continue
      if (answer.last >= answer.first)
        events.push({
          kind: 'append',
          op,
          ...answer,
          begun,
          ended: clock++,
          ...(expected === 'any' ? {} : { expected }),
        })
      const from = clock++
      const tail = await log.all()
      events.push({ kind: 'look', head: tail.at(-1)?.[0] ?? 0, tail, begun: from, ended: clock++ })
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, name) => writer(name)))
  return violations(events, await log.all())
}
