/**
 * Seeded random numbers, so that every run and every build gets the same histories.
 */
import { Random } from '../src/testing/corruptions/random.ts'

export class Sizes extends Random {
  /** A whole number between both, small ones more often: each doubling is equally likely. */
  size(least: number, most: number): number {
    return Math.round(least * (most / least) ** this.next())
  }
}
