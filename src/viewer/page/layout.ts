/**
 * Store: the panels around the thread, and how the thread is shown.
 */
import { createSignal } from 'solid-js'

/** The panels with details, in the order of their tabs and keys. */
export const PANELS = ['findings', 'tokens', 'compaction', 'edits', 'explain'] as const
export type Panel = (typeof PANELS)[number]

const [panel, setPanel] = createSignal<Panel>('findings')
const [panelOpen, setPanelOpen] = createSignal(!matchMedia('(max-width: 900px)').matches)
const [sideBySide, setSideBySide] = createSignal(false)
const [blurred, setBlurred] = createSignal(false)
export const [helpOpen, setHelpOpen] = createSignal(false)
export const [findOpen, setFindOpen] = createSignal(false)

export { blurred, panel, panelOpen, sideBySide }

export function openPanel(which: Panel): void {
  setPanel(which)
  setPanelOpen(true)
}

export function togglePanel(): void {
  setPanelOpen(!panelOpen())
}

export function toggleSideBySide(): void {
  setSideBySide(!sideBySide())
}

export function toggleBlur(): void {
  setBlurred(!blurred())
}
