/**
 * How the cost of some work grows with its input. Processor time is compared with the same work at another size, never
 * with a clock: a busy machine slows both down. Work is only judged at sizes that cost enough to be measured.
 */

/** Below this many milliseconds a time is noise. */
const MEASURABLE = 4
/** Each size is this many times the one before: linear work takes four times as long, quadratic work sixteen times. */
const STEP = 4
export const LIMIT = 9
/** Worse than quadratic: a larger input would take too long. */
const EXPLOSIVE = LIMIT * STEP
/** Milliseconds at which a time is no longer noise. */
const CERTAIN = 20
/** A ratio over the limit counts only if it stays there. */
const ATTEMPTS = 6

/** Returns the work to be measured at a size. Its input is created before, for each measurement. */
export type Work = (size: number) => () => unknown

export interface Sizes {
  readonly smallest: number
  readonly largest: number
  /** Growth up to here may be steeper: `.{0,200}` costs more up to 200 characters. */
  readonly judgedFrom: number
}

/** A sentence about work that takes more than linear time; undefined: it does not. */
export function superlinear(work: Work, { smallest, largest, judgedFrom }: Sizes): string | undefined {
  for (let size = smallest; size <= largest; size = next(size)) {
    if (milliseconds(work, size) < MEASURABLE) continue
    return growthFrom(work, size, judgedFrom)
  }
  return undefined
}

/** Small sizes grow slowly: exponential work that is too quick to be measured at 16 would never end at 64. */
function next(size: number): number {
  return size < 64 ? size + 4 : size * STEP
}

function growthFrom(work: Work, measurable: number, judgedFrom: number): string | undefined {
  const first = ratioAt(work, measurable)
  if (first > EXPLOSIVE) return sentence(first, measurable)
  const size = Math.max(measurable, judgedFrom)
  const ratio = ratioAt(work, size)
  if (ratio <= LIMIT) return undefined
  // One steep step may be a bound that was passed, after which the work is another; growth shows at a second size, too.
  return [size / STEP, size * STEP].some((other) => ratioAt(work, other) > LIMIT) ? sentence(ratio, size) : undefined
}

function sentence(ratio: number, size: number): string {
  return `takes ${ratio.toFixed(0)} times as long on ${STEP} times the size (${size})`
}

/** The smallest of several measures at each size; large ones need no repeating. */
function ratioAt(work: Work, size: number): number {
  let small = Number.POSITIVE_INFINITY
  let large = Number.POSITIVE_INFINITY
  for (let i = 0; i < ATTEMPTS; i++) {
    small = Math.min(small, milliseconds(work, size / STEP))
    large = Math.min(large, milliseconds(work, size))
    // A first measure may be of code that was not compiled yet: close to the limit it counts from the second on.
    if (large / small <= (i === 0 ? STEP : LIMIT) || (i > 0 && small > CERTAIN)) break
  }
  return large / small
}

function milliseconds(work: Work, size: number): number {
  const run = work(Math.round(size))
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * How many times as long the work takes on four times the size, for work that waits. 1 where it is too little to be
 * measured.
 */
export async function growthOf(work: (size: number) => Promise<unknown>, size: number): Promise<number> {
  let small = Number.POSITIVE_INFINITY
  let large = Number.POSITIVE_INFINITY
  for (let i = 0; i < ATTEMPTS; i++) {
    small = Math.min(small, await millisecondsOf(() => work(size)))
    large = Math.min(large, await millisecondsOf(() => work(size * STEP)))
    if (large < CERTAIN) return 1
    if (i > 0 && large / small <= LIMIT) break
  }
  return large / small
}

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
