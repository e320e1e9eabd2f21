/**
 * Store: the active row, the unfolded folds, the rows that find and a planned compaction mark.
 */
import { createMemo, createRoot, createSelector, createSignal } from 'solid-js'
import { overview } from './opened.ts'

const [active, setActive] = createSignal(-1)
/** Rows that contain the text to find. */
const [hits, setHits] = createSignal<readonly number[]>([])
/** The row before which a compaction would cut, while a plan is shown. */
const [cutRow, setCutRow] = createSignal(-1)
const [unfolded, setUnfolded] = createSignal<ReadonlySet<number>>(new Set())

export { active, cutRow, hits, setActive, setCutRow, setHits }

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
      if (!unfolded().has(fold)) next = end
    })
    while (next < all.count) shown.push(next++)
    return shown
  }),
)

export function isUnfolded(fold: number): boolean {
  return unfolded().has(fold)
}

export function toggleFold(fold: number): void {
  const next = new Set(unfolded())
  if (!next.delete(fold)) next.add(fold)
  setUnfolded(next)
}

export function foldAll(): void {
  setUnfolded(new Set<number>())
}

/** Opens the fold that hides a row. */
export function reveal(row: number): void {
  const fold = overview()?.folds.findIndex(({ start, end }) => start <= row && row < end) ?? -1
  if (fold >= 0 && !unfolded().has(fold)) toggleFold(fold)
}
