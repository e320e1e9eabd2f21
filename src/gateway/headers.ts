/**
 * Headers as they came: a flat list of names and values, order and case kept. Only what belongs to one connection is dropped.
 */

/** Name, value, name, value, … */
export type RawHeaders = readonly string[]

/** Headers of a request. Their names are asked for often, so they are put in lower case once. */
export class HeaderList {
  readonly raw: RawHeaders
  /** In lower case, at half the index of their place. */
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

  /** All but those. */
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
/** Those, and what is said anew for the upstream's connection. */
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

/** By lower-case name; what came twice is joined. */
export function recordOf(raw: RawHeaders): Record<string, string> {
  const record: Record<string, string> = Object.create(null)
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    const before = record[name]
    record[name] = before === undefined ? raw[i + 1]! : `${before}, ${raw[i + 1]}`
  }
  return record
}

/** What goes to the upstream of what came from the client. Suture's own headers stay here, and so do keys that were spent here. */
export function toUpstream({ raw, names }: HeaderList, spent: ReadonlySet<string> | undefined): string[] {
  const named = namedByConnection(raw, names)
  const kept: string[] = []
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!
    if (REQUEST_OWN.has(name) || isOurs(name) || spent?.has(name) || named?.has(name)) continue
    // What is compressed cannot be looked at on its way.
    kept.push(raw[i * 2]!, name === 'accept-encoding' ? 'identity' : raw[i * 2 + 1]!)
  }
  return kept
}

/** What goes to the client of what came from the upstream. */
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

/** The list with other values where a recovery changed them; what it took out is taken out, what is new comes last. */
export function rewritten(raw: RawHeaders, now: Readonly<Record<string, string>>, dropped: ReadonlySet<string>) {
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
    if (!seen.has(name) && !REQUEST_OWN.has(name) && !isOurs(name) && !dropped.has(name)) list.push(name, value)
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

/** What `Connection` says is its own; it may come several times. */
function namedByConnection(raw: RawHeaders, names: readonly string[]): ReadonlySet<string> | undefined {
  let named: Set<string> | undefined
  for (let i = 0; i < names.length; i++) {
    if (names[i] !== 'connection' || /^(keep-alive|close)$/i.test(raw[i * 2 + 1]!)) continue
    named ??= new Set()
    for (const name of raw[i * 2 + 1]!.split(',')) named.add(name.trim().toLowerCase())
  }
  return named
}
