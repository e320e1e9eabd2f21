/** Store: the panels around the thread, and how the thread is shown. */
import { createSignal } from 'solid-js'

/** The panels with details, in the order of their tabs and keys. */
export const PANELS = ['findings', 'tokens', 'compaction', 'edits', 'explain'] as const
export type Panel = (typeof PANELS)[number]

const [panel, setPanel] = createSignal<Panel>('findings')
const [panelOpen, setPanelOpen] = createSignal(!matchMedia('(max-width: 900px)').matches)
export const [sideBySide, toggleSideBySide] = createSwitch()
export const [blurred, toggleBlur] = createSwitch()
export const [helpOpen, setHelpOpen] = createSignal(false)
export const [findOpen, setFindOpen] = createSignal(false)

export { panel, panelOpen }

export function openPanel(which: Panel): void {
  setPanel(which)
  setPanelOpen(true)
}

export function togglePanel(): void {
  setPanelOpen(!panelOpen())
}

/** A switch that is off, and the function that turns it. */
function createSwitch() {
  const [isOn, setOn] = createSignal(false)
  return [isOn, () => void setOn(!isOn())] as const
}
