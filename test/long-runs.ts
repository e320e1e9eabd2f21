/**
 * The long form of the tests: `npm run check:long` sets SUTURE_LONG=1, and properties run more often, on larger inputs.
 */
export const LONG = process.env['SUTURE_LONG'] === '1'

/** How often a property runs: `usual` by default, `long` in the long form. The variable `name` sets another number. */
export function runsOf(usual: number, long: number, name = 'SUTURE_RUNS'): number {
  return Number(process.env[name] ?? (LONG ? long : usual))
}
