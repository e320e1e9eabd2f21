/**
 * Which elements of a new list are elements of the old one: unchanged, changed or moved. The time is linear, except
 * for the search of an ascending run.
 */

export interface Aligned {
  /** Index of the old element that this one is, or was made from; -1: it is new. */
  readonly from: number
  /** Nothing in it has changed. */
  readonly same: boolean
  /** It comes before or after elements that it did not come before or after in the old list. */
  readonly moved: boolean
}

interface AlignOptions<T> {
  /** Elements with equal keys are the same. Asked only of those that are not the same reference. */
  readonly keyOf?: (element: T) => unknown
  /** Whether the element at `now` was made from the one at `was`; surest sign first. For unchanged neighbors only. */
  readonly isMadeFrom?: readonly ((was: number, now: number) => boolean)[]
}

/** For each element of `after` where it comes from. No old element is named twice; one that is not named is gone. */
export function align<T>(
  before: readonly T[],
  after: readonly T[],
  { keyOf, isMadeFrom = [] }: AlignOptions<T> = {},
): readonly Aligned[] {
  const from = new Int32Array(after.length).fill(-1)
  const taken = new Uint8Array(before.length)
  matchEqual(before, after, from, taken)
  if (keyOf && from.includes(-1)) {
    const olds = before.map((one, i) => (taken[i] === 0 ? keyOf(one) : undefined))
    const news = after.map((one, i) => (from[i]! < 0 ? keyOf(one) : undefined))
    matchEqual(olds, news, from, taken)
  }
  const same = Array.from(from, (place) => place >= 0)
  if (isMadeFrom.length > 0 && from.includes(-1)) matchChanged(from, taken, isMadeFrom)
  const inPlace = longestAscending(from)
  return same.map((isSame, i) => ({ from: from[i]!, same: isSame, moved: from[i]! >= 0 && inPlace[i] === 0 }))
}

/** Equal elements without a partner: those at the beginning, those at the end, then the first of each value. */
function matchEqual(before: readonly unknown[], after: readonly unknown[], from: Int32Array, taken: Uint8Array): void {
  const olds = placesWhere(before.length, (i) => taken[i] === 0)
  const news = placesWhere(after.length, (i) => from[i]! < 0)
  const matches = (old: number | undefined, now: number | undefined) => {
    if (old === undefined || now === undefined || before[old] !== after[now]) return false
    from[now] = old
    taken[old] = 1
    return true
  }
  let start = 0
  while (matches(olds[start], news[start])) start++
  while (Math.min(olds.length, news.length) > start && matches(olds.at(-1), news.at(-1))) {
    olds.pop()
    news.pop()
  }
  if (news.length === start) return
  const places = new Map<unknown, number[]>()
  for (let i = news.length - 1; i >= start; i--) {
    const known = places.get(after[news[i]!])
    if (known) known.push(news[i]!)
    else places.set(after[news[i]!], [news[i]!])
  }
  for (let i = start; i < olds.length; i++) matches(olds[i], places.get(before[olds[i]!])?.pop())
}

function placesWhere(length: number, isOpen: (i: number) => boolean): number[] {
  const places: number[] = []
  for (let i = 0; i < length; i++) if (isOpen(i)) places.push(i)
  return places
}

/** How many old elements are compared with a new one: keeps the time linear. */
const WINDOW = 64

/** New elements between two unchanged ones, with the old elements that were there. */
function matchChanged(
  from: Int32Array,
  taken: Uint8Array,
  signs: readonly ((was: number, now: number) => boolean)[],
): void {
  const inPlace = longestAscending(from)
  const pair = (fresh: readonly number[], start: number, end: number) => {
    for (const isMadeFrom of signs) {
      let first = start
      for (const now of fresh) {
        while (first < end && taken[first] === 1) first++
        for (let was = first, tries = 0; from[now]! < 0 && was < end && tries < WINDOW; was++) {
          if (taken[was] === 1 || ++tries > WINDOW || !isMadeFrom(was, now)) continue
          from[now] = was
          taken[was] = 1
        }
      }
    }
  }
  let fresh: number[] = []
  let start = 0
  const count = from.length
  for (let now = 0; now < count; now++) {
    if (from[now]! < 0) fresh.push(now)
    if (inPlace[now] === 0) continue
    pair(fresh, start, from[now]!)
    fresh = []
    start = from[now]! + 1
  }
  pair(fresh, start, taken.length)
}

/** 1 for each index of a longest run of ascending places; places below zero are left out. */
function longestAscending(places: Int32Array): Uint8Array {
  const tails: number[] = []
  const before = new Int32Array(places.length).fill(-1)
  places.forEach((place, i) => {
    if (place < 0) return
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[tails[middle]!]! < place) low = middle + 1
      else high = middle
    }
    before[i] = low > 0 ? tails[low - 1]! : -1
    tails[low] = i
  })
  const chosen = new Uint8Array(places.length)
  for (let i = tails.at(-1) ?? -1; i >= 0; i = before[i]!) chosen[i] = 1
  return chosen
}
