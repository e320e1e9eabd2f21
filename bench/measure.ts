/**
 * Work on freshly parsed histories as a ratio to JSON.parse of the same bytes, by processor time. Parse and work take
 * turns in one warm process, and a ratio is that of the medians, or of the best of each.
 * The main figure is without forced collections: a full collection frees the hidden classes of parsed objects, and V8
 * then drops the code that was compiled for them. The figure with one before each parse and each work is measured
 * beside it: nothing in it pays for the garbage of the other.
 */
import { median, spent, timed } from './clock.ts'

export interface Ratio {
  readonly median: number
  readonly best: number
  readonly forced: number | undefined
  /** Milliseconds of one parse, median. */
  readonly parse: number
}

export interface Runs {
  readonly runs: number
  /** Runs with forced collections; 0: none. */
  readonly forced: number
}

type Work = (history: unknown[]) => unknown

/** `beside`: JSON that is parsed with each text, as an allowance for the fixed cost of a call. */
export function against(texts: readonly string[], work: Work, { runs, forced }: Runs, beside?: string): Ratio {
  warmUp(texts, work)
  const plain = series(texts, work, runs, false, beside)
  const collected = series(texts, work, forced, true, beside)
  const parse = median(plain.parses)
  return {
    median: median(plain.works) / parse,
    best: Math.min(...plain.works) / Math.min(...plain.parses),
    forced: forced === 0 ? undefined : median(collected.works) / median(collected.parses),
    parse,
  }
}

const STEP = 3
const LEAST_MS = 600
const MOST_STEPS = 40

/** For a while, and until two steps more are not faster: on a busy machine the code of a function is compiled late. */
function warmUp(texts: readonly string[], work: Work): void {
  const began = spent()
  let best = Number.POSITIVE_INFINITY
  for (let step = 0, calm = 0; step < MOST_STEPS && (calm < 2 || spent() - began < LEAST_MS); step++) {
    const least = Math.min(...series(texts, work, STEP, false).works)
    calm = least > best * 0.95 ? calm + 1 : 0
    best = Math.min(best, least)
  }
}

function series(texts: readonly string[], work: Work, runs: number, forced: boolean, beside?: string) {
  const [parses, works]: [number[], number[]] = [[], []]
  // What was parsed last stays alive until the next is there, as in a process that serves one request after the other.
  let alive: readonly unknown[] = []
  for (let run = 0; run < runs; run++) {
    if (forced) globalThis.gc?.()
    const parsed = timed(() => texts.map((text) => JSON.parse(text) as unknown[]))
    const allowed = beside === undefined ? 0 : timed(() => texts.map(() => JSON.parse(beside))).cpu
    if (forced) globalThis.gc?.()
    const worked = timed(() => {
      for (const history of parsed.value) work(history)
    })
    alive = parsed.value
    parses.push(parsed.cpu + allowed)
    works.push(worked.cpu)
  }
  return { parses, works, alive }
}
