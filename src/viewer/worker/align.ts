/**
 * Which messages of one list are which of another: the same, changed, or only on one side. Keys of equal messages are equal;
 * changed ones are matched between two that are equal, by what they are about.
 */
export interface Alignment {
  /** For each message of the second list the index in the first; -1: it has no counterpart there. */
  readonly origins: Int32Array
}

/** Matches in ascending order only: a message that moved is only on one side at each of its places. */
export function align<K>(
  first: readonly K[],
  second: readonly K[],
  related: (i: number, j: number) => boolean,
): Alignment {
  const origins = new Int32Array(second.length).fill(-1)
  const places = placesOf(first)
  let i = 0
  let j = 0
  while (j < second.length) {
    if (i < first.length && first[i] === second[j]) {
      origins[j++] = i++
      continue
    }
    const [nextI, nextJ] = nextAnchor(places, first.length, second, i, j)
    pairBetween(origins, [i, nextI], [j, nextJ], related)
    i = nextI
    j = nextJ
  }
  return { origins }
}

function placesOf<K>(list: readonly K[]): Map<K, number[]> {
  const places = new Map<K, number[]>()
  for (let i = 0; i < list.length; i++) {
    const known = places.get(list[i]!)
    if (known) known.push(i)
    else places.set(list[i]!, [i])
  }
  return places
}

/** The next message of the second list that is in the rest of the first. One far ahead that skips much is taken only if nothing nearer fits. */
function nextAnchor<K>(
  places: Map<K, number[]>,
  length: number,
  second: readonly K[],
  i: number,
  j: number,
): [number, number] {
  let best: [number, number] = [length, second.length]
  let least = Number.POSITIVE_INFINITY
  for (let k = j; k < second.length && k - j < least; k++) {
    const at = places.get(second[k]!)?.find((place) => place >= i)
    if (at === undefined) continue
    const skipped = at - i + (k - j)
    if (skipped < least) {
      least = skipped
      best = [at, k]
    }
  }
  return best
}

function pairBetween(
  origins: Int32Array,
  [i, endI]: readonly [number, number],
  [j, endJ]: readonly [number, number],
  related: (i: number, j: number) => boolean,
): void {
  let from = i
  for (let k = j; k < endJ; k++) {
    for (let at = from; at < endI && at - from < 32; at++) {
      if (!related(at, k)) continue
      origins[k] = at
      from = at + 1
      break
    }
  }
}
