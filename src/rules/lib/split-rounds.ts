/** Rounds whose results are in more than one message, where results are blocks and one message could hold them all. */
import type { Fix, Part, Transcript } from '../../core/index.ts'

export interface SplitRound {
  readonly at: readonly [message: number]
  readonly results: number
  readonly messages: number
  readonly fix: Fix
}

export function splitRounds(t: Transcript): readonly SplitRound[] {
  if (!t.dialect.blocks) return []
  const { pairs, calls } = t
  if (pairs.unmatched.length === 0 && !pairs.results.some((result, i) => isApart(t, result, i))) return []
  const away = new Set(pairs.unmatched.map(({ part }) => part))
  const extra = resultsInPlace(t)
  const found: SplitRound[] = []
  for (let from = 0, to = 0; from < calls.length; from = to) {
    const places = [...(extra.get(from) ?? [])]
    for (to = from; to < calls.length && pairs.rounds[to] === from; to++) {
      const result = pairs.results[to]
      if (result && !away.has(result) && !t.isAssistant(result.message)) places.push(result.message)
    }
    const messages = new Set(places).size
    if (messages > 1)
      found.push({
        at: [calls[from]!.message],
        results: places.length,
        messages,
        fix: [{ do: 'complete-round', call: from }],
      })
  }
  return found
}

/** The result is in another message than that of the first call of its round. */
function isApart({ pairs }: Transcript, result: Part | undefined, order: number): boolean {
  const first = pairs.results[pairs.rounds[order]!]
  return result !== undefined && first?.message !== result.message
}

/** Unmatched results among those of the round before them, by the first call of that round. */
function resultsInPlace(t: Transcript): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>()
  for (const { part, round } of t.pairs.unmatched) {
    if (round < 0 || t.isAssistant(part.message) || !followsDirectly(t, t.calls[round]!.message, part.message)) continue
    const list = places.get(round)
    if (list) list.push(part.message)
    else places.set(round, [part.message])
  }
  return places
}

/** Only answers and results are between the call and this message. */
function followsDirectly(t: Transcript, call: number, message: number): boolean {
  for (let at = call + 1; at <= message; at++) if (t.role(at) === 'system' || t.isPrompt(at)) return false
  return true
}
