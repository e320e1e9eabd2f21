/**
 * Store: the active row, the unfolded folds, and the rows that are marked by a search or a planned compaction.
 */
import { createMemo, createRoot, createSelector, createSignal } from 'solid-js'
import { overview } from './opened.ts'

export const [active, setActive] = createSignal(-1)
/** Rows that contain the text to find. */
export const [hits, setHits] = createSignal<readonly number[]>([])
/** The row before which a compaction would cut, while a plan is shown. */
export const [cutRow, setCutRow] = createSignal(-1)
const [unfolded, setUnfolded] = createSignal<ReadonlySet<number>>(new Set())
const [expanded, setExpanded] = createSignal<ReadonlySet<number>>(new Set())

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
  setUnfolded(toggled(unfolded(), fold))
}

/** Whether a row shows all lines of its parts. */
export function isExpanded(row: number): boolean {
  return expanded().has(row)
}

export function toggleExpanded(row: number): void {
  setExpanded(toggled(expanded(), row))
}

function toggled(set: ReadonlySet<number>, entry: number): ReadonlySet<number> {
  const next = new Set(set)
  if (!next.delete(entry)) next.add(entry)
  return next
}

export function foldAll(): void {
  setUnfolded(new Set<number>())
}

/** Opens the fold that hides a row. */
export function reveal(row: number): void {
  const fold = overview()?.folds.findIndex(({ start, end }) => start <= row && row < end) ?? -1
  if (fold >= 0 && !unfolded().has(fold)) toggleFold(fold)
}
