/**
 * Checks whether what several writers saw is possible in one order. Every append reports its position, so a sort is
 * enough.
 */
export interface Appended {
  readonly kind: 'append'
  readonly op: string
  readonly first: number
  readonly last: number
  /** Where the writer expected the log to end; absent: anywhere. */
  readonly expected?: number
  /** One clock for all processes, in ms. */
  readonly begun: number
  readonly ended: number
}

export interface Looked {
  readonly kind: 'look'
  readonly head: number
  /** The end of the log as it was seen: position and operation. */
  readonly tail: readonly (readonly [number, string])[]
  readonly begun: number
  readonly ended: number
}

export type Event = Appended | Looked

/** What is wrong with these events, given the final log; empty if they are linearizable. */
export function violations(events: readonly Event[], log: readonly (readonly [number, string])[]): string[] {
  const appends = events.filter((event) => event.kind === 'append').sort((a, b) => a.first - b.first)
  const looks = events.filter((event) => event.kind === 'look')
  return [...inPlace(appends, log), ...inTime(appends), ...seen(looks, appends, log)]
}

/** Positions without a gap, each taken once, by the operation that got it. */
function* inPlace(appends: readonly Appended[], log: readonly (readonly [number, string])[]): Iterable<string> {
  const at = new Map(log)
  if (at.size !== log.length) yield `${log.length - at.size} positions are taken twice`
  const gaps = log.filter(([position], i) => position !== (log[i - 1]?.[0] ?? 0) + 1)
  if (gaps.length > 0)
    yield `gaps before ${gaps
      .slice(0, 5)
      .map(([position]) => position)
      .join(', ')}`
  let end = 0
  for (const { op, first, last, expected } of appends) {
    if (first <= end) yield `${op} and another were both given ${first}`
    end = Math.max(end, last)
    for (let position = first; position <= last; position++)
      if (at.get(position) !== op) yield `${op} was given ${position}, which has ${at.get(position) ?? 'nothing'}`
    if (expected !== undefined && first !== expected + 1) yield `${op} expected ${expected} and is at ${first}`
  }
}

/** An operation that ended before another began comes before it. */
function* inTime(appends: readonly Appended[]): Iterable<string> {
  let earliest = Number.POSITIVE_INFINITY
  let whose = ''
  for (const { op, begun, ended } of [...appends].reverse()) {
    if (earliest < begun) yield `${whose} is after ${op}, but had ended before it began`
    if (ended < earliest) [earliest, whose] = [ended, op]
  }
}

/** A look shows the beginning of the log as it is in the end, and all that was acknowledged before it began. */
function* seen(
  looks: readonly Looked[],
  appends: readonly Appended[],
  log: readonly (readonly [number, string])[],
): Iterable<string> {
  const at = new Map(log)
  const byEnd = [...appends].sort((a, b) => a.ended - b.ended)
  let next = 0
  let known = 0
  for (const { head, tail, begun } of [...looks].sort((a, b) => a.begun - b.begun)) {
    while (next < byEnd.length && byEnd[next]!.ended < begun) known = Math.max(known, byEnd[next++]!.last)
    if (head < known) yield `a read returned ${head} positions when ${known} were acknowledged already`
    const shown = new Map(tail)
    const from = tail[0]?.[0] ?? head + 1
    for (let position = from; position <= head; position++)
      if (shown.get(position) !== at.get(position)) {
        yield `a read returned ${shown.get(position) ?? 'nothing'} at ${position}, where ${at.get(position) ?? 'nothing'} is there at the end`
        break
      }
  }
}
