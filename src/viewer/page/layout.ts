/**
 * Store: what is unfolded around the thread, and how the thread is shown.
 */
import { createSignal } from 'solid-js'

export type Panel = 'findings' | 'tokens' | 'compaction' | 'edits' | 'explain'

const [panel, setPanel] = createSignal<Panel>('findings')
const [panelOpen, setPanelOpen] = createSignal(!matchMedia('(max-width: 900px)').matches)
const [sideBySide, setSideBySide] = createSignal(false)
const [blurred, setBlurred] = createSignal(false)
const [helpOpen, setHelpOpen] = createSignal(false)
const [findOpen, setFindOpen] = createSignal(false)

export { blurred, findOpen, helpOpen, panel, panelOpen, setFindOpen, setHelpOpen, sideBySide }

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
