/**
 * Faults, in one notation for scripts, for the `x-contract-fault` header and for `chance`. Several are separated by
 * commas in the header, and are a list in a script.
 */
export type Fault =
  | `cut-after-bytes=${number}`
  | `cut-after-events=${number}`
  | 'cut-in-character'
  | 'cut-in-arguments'
  | `end-after-bytes=${number}`
  | `end-after-events=${number}`
  | `done-after-events=${number}`
  | `stall-after-bytes=${number}`
  | `stall-after-events=${number}`
  | 'error-event'
  | `error-event=${number}`
  | 'bare-error'
  | `bare-error=${number}`
  | `status=${number}`
  | `retry-after=${number}`
  | `empty=${number}`
  | 'overflow'
  | `overflow=${number}`
  | 'too-large'
  | 'wrapped'
  | `wrapped=${string}`
  | `slow-first-byte=${number}`
  | 'spurious-rejection'

type Name<F> = F extends `${infer N}=${string}` ? N : F
export type FaultName = Name<Fault>
export type Faults = ReadonlyMap<FaultName, string>

const VALUES: Readonly<Record<FaultName, 'number' | 'none' | 'number?' | 'text?'>> = {
  'cut-after-bytes': 'number',
  'cut-after-events': 'number',
  'cut-in-character': 'none',
  'cut-in-arguments': 'none',
  'end-after-bytes': 'number',
  'end-after-events': 'number',
  'done-after-events': 'number',
  'stall-after-bytes': 'number',
  'stall-after-events': 'number',
  'error-event': 'number?',
  'bare-error': 'number?',
  status: 'number',
  'retry-after': 'number',
  empty: 'number',
  overflow: 'number?',
  'too-large': 'none',
  wrapped: 'text?',
  'slow-first-byte': 'number',
  'spurious-rejection': 'none',
}

/** Parses faults. Throws a `RangeError` that names an unknown one. */
export function readFaults(faults: readonly string[]): Faults {
  return new Map(faults.map(readFault))
}

/** `x-contract-fault: slow-first-byte=20, wrapped=not%20JSON` */
export function readFaultHeader(header: string | undefined): Faults {
  const faults = (header ?? '').split(',').map((fault) => fault.trim())
  return readFaults(faults.filter((fault) => fault !== '').map(decodeURIComponent))
}

export function numberOf(faults: Faults, name: FaultName): number | undefined {
  const value = faults.get(name)
  return value === undefined || value === '' ? undefined : Number(value)
}

/** Faults in their notation, for the record. */
export function writeFaults(faults: Faults): string[] {
  return [...faults].map(([name, value]) => (value === '' ? name : `${name}=${value}`))
}

function readFault(fault: string): [FaultName, string] {
  const at = fault.indexOf('=')
  const name = at < 0 ? fault : fault.slice(0, at)
  const value = at < 0 ? '' : fault.slice(at + 1)
  if (!isName(name)) throw new RangeError(`Unknown fault "${fault}". Known: ${Object.keys(VALUES).join(', ')}.`)
  const wants = VALUES[name]
  const good = value === '' ? wants !== 'number' : wants === 'text?' || (wants !== 'none' && /^\d+$/.test(value))
  if (!good)
    throw new RangeError(`The fault ${name} ${wants === 'none' ? 'takes no value' : 'takes a number'}: ${fault}.`)
  return [name, value]
}

function isName(name: string): name is FaultName {
  return Object.hasOwn(VALUES, name)
}
