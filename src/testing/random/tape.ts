/**
 * Decisions read off a tape of numbers. The tape is what fast-check draws and shrinks: when it runs out every answer is
 * the first choice, so a shorter tape is a simpler history.
 */
export class Tape {
  private readonly numbers: ArrayLike<number>
  private at = 0

  constructor(numbers: ArrayLike<number>) {
    this.numbers = numbers
  }

  /** A whole number below `below`; 0 once the tape is over. */
  upTo(below: number): number {
    const number = this.numbers[this.at++] ?? 0
    return below <= 1 ? 0 : number % below
  }

  /** True about `percent` times in a hundred; never once the tape is over. */
  chance(percent: number): boolean {
    return this.upTo(100) >= 100 - percent
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.upTo(choices.length)]!
  }
}
