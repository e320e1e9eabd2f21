/**
 * Decisions read from a tape of numbers. fast-check generates and shrinks the tape: at its end every decision is the
 * first choice, so a shorter tape is a simpler history.
 */
export class Tape {
  private readonly numbers: ArrayLike<number>
  private at = 0

  constructor(numbers: ArrayLike<number>) {
    this.numbers = numbers
  }

  /** An integer below `below`; 0 at the end of the tape. */
  upTo(below: number): number {
    const number = this.numbers[this.at++] ?? 0
    return below <= 1 ? 0 : number % below
  }

  /** True in about `percent` of 100 cases; never at the end of the tape. */
  chance(percent: number): boolean {
    return this.upTo(100) >= 100 - percent
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.upTo(choices.length)]!
  }
}
