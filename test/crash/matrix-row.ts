/**
 * What every row of the crash matrix has in common: a tally, a seed, a folder of its own.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * What a row came to. `lost`: acknowledged messages that were gone. `invalid`: reopens that were not whole, not
 * readable or not accepted.
 */
export interface Outcome {
  readonly row: number
  readonly title: string
  readonly engine: string
  readonly mode: string
  /** How long it was: as in CI, as for a release, or in between. */
  readonly size?: string
  readonly tried: number
  readonly lost: number
  readonly invalid: number
  /** The first few things that went wrong, in words. */
  readonly wrong: readonly string[]
  readonly notes?: string
  /** What this mode may lose by its own words, and did; not counted in `lost`. */
  readonly allowed?: string
  /** Why it did not run. */
  readonly skipped?: string
}

export class Tally {
  tried = 0
  lost = 0
  invalid = 0
  readonly wrong: string[] = []

  lose(count: number, words: string): void {
    this.lost += count
    this.note(words)
  }

  spoil(words: string): void {
    this.invalid++
    this.note(words)
  }

  outcome(of: Pick<Outcome, 'row' | 'title' | 'engine' | 'mode' | 'notes' | 'allowed'>): Outcome {
    return { ...of, tried: this.tried, lost: this.lost, invalid: this.invalid, wrong: this.wrong }
  }

  private note(words: string): void {
    if (this.wrong.length < 8) this.wrong.push(words)
  }
}

export function skippedRow(of: Pick<Outcome, 'row' | 'title' | 'engine' | 'mode'>, skipped: string): Outcome {
  return { ...of, tried: 0, lost: 0, invalid: 0, wrong: [], skipped }
}

export type Random = () => number

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function below(random: Random, count: number): number {
  return Math.floor(random() * count)
}

export const seedOf = (): number => Number(process.env['SUTURE_SEED'] ?? 20261118)

/** A folder that is gone afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>, within = tmpdir()): Promise<T> {
  const folder = mkdtempSync(join(within, 'suture-crash-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The project's own folder, from its sources as from what was built of them. */
export function rootFolder(): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    const file = join(at, 'package.json')
    if (existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name === 'suture') return at
    if (dirname(at) === at) throw new Error('the project folder was not found')
  }
}
