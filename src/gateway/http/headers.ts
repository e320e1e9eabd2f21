/**
 * Headers as a flat list of names and values, with order and case kept. Only headers of a single connection are
 * dropped.
 */

/** Name, value, name, value, … */
export type RawHeaders = readonly string[]

/** Headers of a request. Names are looked up often, so they are converted to lower case once. */
export class HeaderList {
  readonly raw: RawHeaders
  /** Names in lower case; `names[i]` belongs to `raw[2 * i]`. */
  readonly names: readonly string[]

  constructor(raw: RawHeaders) {
    const names: string[] = []
    for (let i = 0; i < raw.length; i += 2) names.push(raw[i]!.toLowerCase())
    this.raw = raw
    this.names = names
  }

  /** The first value of this name, in lower case. */
  get(name: string): string | undefined {
    const at = this.names.indexOf(name)
    return at < 0 ? undefined : this.raw[at * 2 + 1]
  }

  /** All headers except those that `drops` accepts. */
  without(drops: (name: string) => boolean): HeaderList {
    return this.names.some(drops) ? new HeaderList(without(this.raw, drops)) : this
  }
}

const HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Hop-by-hop headers, and those that are written again for the upstream's connection. */
const REQUEST_OWN = new Set([
  ...HOP,
  'host',
  'content-length',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
])

/** The first value of a header of a plain list, by its name in lower case. */
export function headerIn(raw: RawHeaders, name: string): string | undefined {
  for (let i = 0; i < raw.length; i += 2)
    if (raw[i]!.length === name.length && raw[i]!.toLowerCase() === name) return raw[i + 1]
  return undefined
}

/** By lower-case name; repeated headers are joined. */
export function recordOf(raw: RawHeaders): Record<string, string> {
  const record: Record<string, string> = Object.create(null)
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    const before = record[name]
    record[name] = before === undefined ? raw[i + 1]! : `${before}, ${raw[i + 1]}`
  }
  return record
}

/** Headers of the client that go to the upstream. Suture's own headers and gateway keys are removed. */
export function toUpstream({ raw, names }: HeaderList, spent: ReadonlySet<string> | undefined): string[] {
  const named = namedByConnection(raw, names)
  const kept: string[] = []
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!
    if (REQUEST_OWN.has(name) || isOurs(name) || spent?.has(name) || named?.has(name)) continue
    // A compressed response cannot be inspected.
    kept.push(raw[i * 2]!, name === 'accept-encoding' ? 'identity' : raw[i * 2 + 1]!)
  }
  return kept
}

/** Headers of the upstream that go to the client. */
export function toClient({ raw, names }: HeaderList, keepLength: boolean): string[] {
  const named = namedByConnection(raw, names)
  const kept: string[] = []
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!
    if (HOP.has(name) || named?.has(name) || isOurs(name)) continue
    if (name === 'content-length' && !keepLength) continue
    kept.push(raw[i * 2]!, raw[i * 2 + 1]!)
  }
  return kept
}

/** The list with the values that a recovery changed: removed headers are dropped, new ones are appended. */
export function rewritten(raw: RawHeaders, now: Readonly<Record<string, string>>): string[] {
  const list: string[] = []
  const seen = new Set<string>()
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    const value = now[name]
    if (value === undefined || seen.has(name)) continue
    seen.add(name)
    list.push(raw[i]!, value)
  }
  for (const [name, value] of Object.entries(now)) {
    if (!seen.has(name) && !REQUEST_OWN.has(name) && !isOurs(name)) list.push(name, value)
  }
  return list
}

/** The list without some of them. */
export function without(raw: RawHeaders, drops: (name: string) => boolean): string[] {
  const kept: string[] = []
  for (let i = 0; i < raw.length; i += 2) if (!drops(raw[i]!.toLowerCase())) kept.push(raw[i]!, raw[i + 1]!)
  return kept
}

function isOurs(name: string): boolean {
  return name.startsWith('suture') && (name.length === 6 || name[6] === '-')
}

/** The headers that `Connection` names; it may be repeated. */
function namedByConnection(raw: RawHeaders, names: readonly string[]): ReadonlySet<string> | undefined {
  let named: Set<string> | undefined
  for (let i = 0; i < names.length; i++) {
    if (names[i] !== 'connection' || /^(keep-alive|close)$/i.test(raw[i * 2 + 1]!)) continue
    named ??= new Set()
    for (const name of raw[i * 2 + 1]!.split(',')) named.add(name.trim().toLowerCase())
  }
  return named
}
