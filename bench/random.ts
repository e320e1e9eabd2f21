/**
 * Seeded random numbers, so that every run and every build gets the same histories.
 */
export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  /** True in about `percent` of 100 cases. */
  chance(percent: number): boolean
  pick<T>(choices: readonly T[]): T
  /** A whole number between both, small ones more often: each doubling is equally likely. */
  size(least: number, most: number): number
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  // mulberry32: short, and good enough in its low bits, which a linear generator is not.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (below) => Math.floor(next() * below),
    chance: (percent) => next() * 100 < percent,
    pick: (choices) => choices[Math.floor(next() * choices.length)]!,
    size: (least, most) => Math.round(least * (most / least) ** next()),
  }
}
