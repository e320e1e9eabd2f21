/**
 * Work on freshly parsed histories as a ratio to JSON.parse of the same bytes, by processor time. Parse and work take
 * turns in one warm process, and a ratio is that of the medians, or of the best of each. There are no forced
 * collections: a full one frees the hidden classes of parsed objects, and V8 then drops the code compiled for them.
 */
import { median, spent, timed } from './clock.ts'

export interface Ratio {
  readonly median: number
  readonly best: number
  /** Milliseconds of one parse, median. */
  readonly parse: number
}

type Work = (history: unknown[]) => unknown

/** `beside`: JSON that is parsed with each text, as an allowance for the fixed cost of a call. */
export function against(texts: readonly string[], work: Work, runs: number, beside?: string): Ratio {
  warmUp(texts, work)
  const { parses, works } = series(texts, work, runs, beside)
  const parse = median(parses)
  return {
    median: median(works) / parse,
    best: Math.min(...works) / Math.min(...parses),
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
    const least = Math.min(...series(texts, work, STEP).works)
    calm = least > best * 0.95 ? calm + 1 : 0
    best = Math.min(best, least)
  }
}

function series(texts: readonly string[], work: Work, runs: number, beside?: string) {
  const [parses, works]: [number[], number[]] = [[], []]
  // What was parsed last stays alive until the next is there, as in a process that serves one request after the other.
  let alive: readonly unknown[] = []
  for (let run = 0; run < runs; run++) {
    const parsed = timed(() => texts.map((text) => JSON.parse(text) as unknown[]))
    const allowed = beside === undefined ? 0 : timed(() => texts.map(() => JSON.parse(beside))).cpu
    const worked = timed(() => {
      for (const history of parsed.value) work(history)
    })
    alive = parsed.value
    parses.push(parsed.cpu + allowed)
    works.push(worked.cpu)
  }
  return { parses, works, alive }
}
