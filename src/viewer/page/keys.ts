/** The keyboard. Keys in a field or a dialog, and keys with a modifier, are left alone. */
import { FLAG } from '../worker/protocol.ts'
import { showRaw } from './full-text.tsx'
import { openPanel, PANELS, setFindOpen, setHelpOpen, toggleBlur, toggleSideBySide } from './layout.ts'
import { overview, session } from './opened.ts'
import { jumpTo } from './route.ts'
import { active, expanded, setActive, visible } from './selection.ts'
import { undoSession } from './session-actions.ts'
import { toggleTheme } from './theme.ts'
import { range, scrollToRow } from './thread.tsx'
import { togglePreview, undoRepair } from './view-actions.ts'

interface KeyBinding {
  /** Single characters. */
  readonly keys: string
  readonly help: string
  readonly run: (key: string) => void
  /** Works without an open conversation. */
  readonly isGlobal?: boolean
}

export const BINDINGS: readonly KeyBinding[] = [
  { keys: 'jk', help: 'next, previous message', run: (key) => step(key === 'j' ? 1 : -1) },
  { keys: '][', help: 'next, previous turn', run: (key) => seek(FLAG.turn, key === ']' ? 1 : -1) },
  {
    keys: 'nN',
    help: 'next, previous finding',
    run: (key) => seek(FLAG.error | FLAG.warning, key === 'n' ? 1 : -1),
  },
  { keys: 'e', help: 'expand the message', run: () => active() >= 0 && expanded.toggle(active()) },
  { keys: 'r', help: 'raw JSON of the message', run: () => active() >= 0 && showRaw(active(), 'stored') },
  { keys: '/', help: 'find in all messages', run: () => setFindOpen(true) },
  { keys: 's', help: 'stored and next request side by side', run: toggleSideBySide },
  { keys: 'p', help: 'preview the repair', run: () => void togglePreview() },
  { keys: 'u', help: 'undo', run: () => void (session() === undefined ? undoRepair() : undoSession()) },
  { keys: 'b', help: 'blur content for screenshots', run: toggleBlur },
  { keys: 't', help: 'light, dark', run: toggleTheme, isGlobal: true },
  { keys: '12345', help: PANELS.join(', '), run: (key) => openPanel(PANELS[Number(key) - 1]!), isGlobal: true },
  { keys: '?', help: 'this help', run: () => setHelpOpen(true), isGlobal: true },
]

export function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (ctrlKey || metaKey || altKey || (target as HTMLElement).closest('input, textarea, select, dialog')) return
  const binding = key.length === 1 ? BINDINGS.find(({ keys }) => keys.includes(key)) : undefined
  if (!binding || !(binding.isGlobal || overview())) return
  event.preventDefault()
  binding.run(key)
}

function step(by: number): void {
  const rows = visible().filter((row) => row >= 0)
  const now = active() < 0 ? (visible()[range()[0]] ?? 0) : active()
  const at = rows.indexOf(now)
  const next = rows[Math.min(rows.length - 1, Math.max(0, active() < 0 ? at : at + by))]
  if (next === undefined) return
  setActive(next)
  scrollToRow(next, 'nearest')
}

/** Also moves the focus there, for keys and for screen readers. */
export function focusFirstFinding(): void {
  setActive(-1)
  seek(FLAG.error | FLAG.warning, 1)
  const row = active()
  // The row is mounted when the list has scrolled to it. A finding without a row is in the panel.
  if (row < 0) openPanel('findings')
  const selector = row < 0 ? '.panel-scroll' : `[data-row="${row}"]`
  setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: row >= 0 }), 100)
}

/** Jumps to the nearest row in this direction that has one of these flags. */
function seek(flags: number, by: number): void {
  const all = overview()
  if (!all) return
  let row = active() + by
  while (row >= 0 && row < all.count && (all.flags[row]! & flags) === 0) row += by
  if (row < all.count) jumpTo(row)
}
