/**
 * The keyboard. Nothing is taken from a field, a dialog, or a key with a modifier.
 */
import { FLAG } from '../worker/protocol.ts'
import { showRaw } from './full-text.tsx'
import { openPanel, type Panel, setFindOpen, setHelpOpen, toggleBlur, toggleSideBySide } from './layout.ts'
import { overview, session } from './opened.ts'
import { jumpTo } from './route.ts'
import { toggleExpanded } from './row.tsx'
import { active, setActive, visible } from './selection.ts'
import { undoSession } from './session-actions.ts'
import { toggleTheme } from './theme.ts'
import { rangeShown, scrollToRow } from './thread.tsx'
import { togglePreview, undoRepair } from './view-actions.ts'

const PANELS: readonly Panel[] = ['findings', 'tokens', 'compaction', 'edits', 'explain']

function step(by: number): void {
  const rows = visible().filter((row) => row >= 0)
  const now = active() < 0 ? (visible()[rangeShown()[0]] ?? 0) : active()
  const at = rows.indexOf(now)
  const next = rows[Math.min(rows.length - 1, Math.max(0, active() < 0 ? at : at + by))]
  if (next === undefined) return
  setActive(next)
  scrollToRow(next, 'nearest')
}

/** The nearest row in this direction that has one of these flags. */
function seek(flags: number, by: number): void {
  const all = overview()
  if (!all) return
  for (let row = active() + by; row >= 0 && row < all.count; row += by) {
    if ((all.flags[row]! & flags) === 0) continue
    jumpTo(row)
    return
  }
}

const actions: Readonly<Record<string, () => void>> = {
  j: () => step(1),
  k: () => step(-1),
  ']': () => seek(FLAG.turn, 1),
  '[': () => seek(FLAG.turn, -1),
  n: () => seek(FLAG.error | FLAG.warning, 1),
  N: () => seek(FLAG.error | FLAG.warning, -1),
  e: () => active() >= 0 && toggleExpanded(active()),
  r: () => active() >= 0 && showRaw(active(), 'stored'),
  '/': () => setFindOpen(true),
  s: () => toggleSideBySide(),
  p: () => void togglePreview(),
  u: () => void (session() === undefined ? undoRepair() : undoSession()),
  b: () => toggleBlur(),
  t: toggleTheme,
  '?': () => setHelpOpen(true),
}

export function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const target = event.target as HTMLElement
  if (target.closest('input, textarea, select, dialog')) return
  const panel = PANELS[Number(event.key) - 1]
  if (panel) {
    openPanel(panel)
    return
  }
  const act = overview() || event.key === '?' || event.key === 't' ? actions[event.key] : undefined
  if (!act) return
  event.preventDefault()
  act()
}
