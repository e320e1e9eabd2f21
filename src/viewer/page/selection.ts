/** Store: the active row, the unfolded folds, and the rows that are marked by a search or a planned compaction. */
import { createMemo, createRoot, createSelector, createSignal } from 'solid-js'
import { overview } from './opened.ts'

export const [active, setActive] = createSignal(-1)
/** Rows that contain the text to find. */
export const [hits, setHits] = createSignal<readonly number[]>([])
/** The row before which a compaction would cut, while a plan is shown. */
export const [cutRow, setCutRow] = createSignal(-1)
/** Folds that are open, by number. */
export const unfolded = createSet()
/** Rows that show all lines of their parts. */
export const expanded = createSet()

export const isActive = createRoot(() => createSelector(active))

/** Rows that are shown, in order; a fold is -1 minus its number. */
export const visible = createRoot(() =>
  createMemo<readonly number[]>(() => {
    const all = overview()
    if (!all) return []
    const shown: number[] = []
    let next = 0
    all.folds.forEach(({ start, end }, fold) => {
      while (next < start) shown.push(next++)
      shown.push(-1 - fold)
      if (!unfolded.has(fold)) next = end
    })
    while (next < all.count) shown.push(next++)
    return shown
  }),
)

/** Opens the fold that hides a row. */
export function reveal(row: number): void {
  const fold = overview()?.folds.findIndex(({ start, end }) => start <= row && row < end) ?? -1
  if (fold >= 0 && !unfolded.has(fold)) unfolded.toggle(fold)
}

/** A set of numbers as a signal. */
function createSet() {
  const [numbers, setNumbers] = createSignal<ReadonlySet<number>>(new Set())
  const toggle = (number: number): void => {
    const next = new Set(numbers())
    if (!next.delete(number)) next.add(number)
    setNumbers(next)
  }
  return { has: (number: number) => numbers().has(number), toggle, clear: () => setNumbers(new Set<number>()) }
}
