/**
 * The long form of the tests: `npm run check:long` sets SUTURE_LONG=1, and properties run more often on larger inputs.
 */
export const LONG = process.env['SUTURE_LONG'] === '1'

/** How often a property runs: `usual` by default, `long` in the long form. SUTURE_RUNS sets another number for all of them. */
export function runsOf(usual: number, long: number): number {
  return Number(process.env['SUTURE_RUNS'] ?? (LONG ? long : usual))
}
