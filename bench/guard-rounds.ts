/**
 * Works that take turns, by processor time, and how they compare with a bar. They take turns one by one: each finds the
 * processor's caches as another one has left them, as a request in an application does. In a loop of its own a request
 * of 30 µs never leaves the nearest cache.
 * The clock is that of the process.
 */
import { median } from './clock.ts'

export type Work = () => unknown

export interface Rounds {
  /** How many rounds count; a quarter as many go before them. */
  readonly rounds: number
  /** How often each work is done in a round. */
  readonly times: number
}

/** Microseconds of each work for one time of it, round by round. */
export async function taken(works: readonly Work[], { rounds, times }: Rounds): Promise<number[][]> {
  const lists: number[][] = works.map(() => [])
  const before = Math.ceil(rounds / 4)
  for (let round = -before; round < rounds; round++) {
    const took = works.map(() => 0)
    for (let n = 0; n < times; n++) for (const [i, work] of works.entries()) took[i]! += await once(work)
    if (round >= 0) for (const [i, sum] of took.entries()) lists[i]!.push(sum / times)
  }
  return lists
}

async function once(work: Work): Promise<number> {
  const { user, system } = process.cpuUsage()
  await work()
  const now = process.cpuUsage()
  return now.user + now.system - user - system
}

/** A figure made of what the works took. */
export type Figure = (took: readonly number[]) => number

export interface Summary {
  readonly best: number
  readonly median: number
}

/** From the best of each work, and as the median of the rounds, in which all met the same machine. */
export function summarize(lists: readonly (readonly number[])[], figure: Figure): Summary {
  const rounds = lists[0]!.map((_, round) => figure(lists.map((list) => list[round]!)))
  return { best: figure(lists.map((list) => Math.min(...list))), median: median(rounds) }
}

/** One line: a figure, its bar, and whether it is met. */
export function line(name: string, figure: Summary, bar: number, unit = ''): void {
  const verdict = figure.best <= bar ? (figure.median <= bar ? 'met' : 'met by the best') : 'MISSED'
  const numbers = `best ${figure.best.toFixed(2)}${unit}, median ${figure.median.toFixed(2)}${unit}`
  console.log(`  ${name}: ${numbers} (bar ${bar}${unit}: ${verdict})`)
}

/** The best time of each, to explain a ratio. */
export function bests(names: readonly string[], lists: readonly (readonly number[])[]): string {
  return names.map((name, i) => `${name} ${Math.min(...lists[i]!).toFixed(1)}`).join(', ')
}
