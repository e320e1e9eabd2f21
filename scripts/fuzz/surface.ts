/** What is fuzzed: something that makes inputs and says what is wrong with what came of one. */

/** A number from 0, below the given one. */
export type Random = (below: number) => number

/** Everything that a case depends on, so that it can be stored, made smaller and run again. */
export interface Input {
  readonly bytes: Buffer
  /** Format, options, path, headers: whatever the surface needs beside the bytes. */
  readonly about: Readonly<Record<string, unknown>>
}

export interface Surface {
  readonly name: string
  make(random: Random): Input
  /** A sentence for a broken promise; undefined if all hold. Anything thrown counts as a crash. */
  check(input: Input): string | undefined | Promise<string | undefined>
  close?(): Promise<void>
}
