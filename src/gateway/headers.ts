/**
 * Headers as they came: a flat list of names and values, order and case kept. Only what belongs to one connection is dropped.
 */

/** Name, value, name, value, … */
export type RawHeaders = readonly string[]

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
/** Said anew for the upstream's connection. */
const REQUEST_OWN = new Set(['host', 'content-length', 'expect', 'forwarded', 'x-forwarded-for', 'x-forwarded-host'])

/** The first value of a header, whatever its case. */
export function headerIn(raw: RawHeaders, name: string): string | undefined {
  for (let i = 0; i < raw.length; i += 2) if (raw[i]!.toLowerCase() === name) return raw[i + 1]
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

/** What goes to the upstream of what came from the client. Suture's own headers stay here. */
export function toUpstream(raw: RawHeaders, drop: ReadonlySet<string>): string[] {
  const named = namedByConnection(raw)
  const kept: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    if (HOP.has(name) || REQUEST_OWN.has(name) || drop.has(name) || isOurs(name) || named?.has(name)) continue
    kept.push(raw[i]!, raw[i + 1]!)
  }
  return kept
}

/** What goes to the client of what came from the upstream. */
export function toClient(raw: RawHeaders, keepLength: boolean): string[] {
  const named = namedByConnection(raw)
  const kept: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase()
    if (HOP.has(name) || named?.has(name) || isOurs(name)) continue
    if (name === 'content-length' && !keepLength) continue
    kept.push(raw[i]!, raw[i + 1]!)
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
    if (!seen.has(name) && !HOP.has(name) && !REQUEST_OWN.has(name) && !isOurs(name) && !dropped.has(name))
      list.push(name, value)
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
  return name === 'suture' || name.startsWith('suture-')
}

/** What `Connection` says is its own; it may come several times. */
function namedByConnection(raw: RawHeaders): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i]!.toLowerCase() !== 'connection' || /^(keep-alive|close)$/i.test(raw[i + 1]!)) continue
    names ??= new Set()
    for (const name of raw[i + 1]!.split(',')) names.add(name.trim().toLowerCase())
  }
  return names
}
