/**
 * What the page shows: the open document, the view of one conversation, and the switches. One place, so that every part of the page agrees.
 */
import { batch, createMemo, createRoot, createSelector, createSignal } from 'solid-js'
import type { DocumentInfo, Hit, Overview } from '../worker/protocol.ts'
import { client } from './client.ts'
import { dropRows, loadRows } from './rows-store.ts'

export type Mode = 'static' | 'view' | 'gateway'
export type Panel = 'findings' | 'tokens' | 'compaction' | 'edits' | 'explain'

const meta = document.querySelector<HTMLMetaElement>('meta[name="suture-mode"]')?.content
export const mode: Mode = meta === 'gateway' || meta === 'view' ? meta : 'static'

export const [info, setInfo] = createSignal<DocumentInfo>()
export const [overview, setOverview] = createSignal<Overview>()
export const [conversation, setConversation] = createSignal('main')
export const [provider, setProvider] = createSignal<string>()
export const [model, setModel] = createSignal<string>()
export const [repaired, setRepaired] = createSignal(false)
export const [sideBySide, setSideBySide] = createSignal(false)
export const [panel, setPanel] = createSignal<Panel>('findings')
export const [panelOpen, setPanelOpen] = createSignal(!matchMedia('(max-width: 900px)').matches)
export const [blurred, setBlurred] = createSignal(false)
export const [busy, setBusy] = createSignal(false)
export const [problem, setProblem] = createSignal<string>()
export const [notice, setNotice] = createSignal<string>()
export const [active, setActive] = createSignal(-1)
export const [helpOpen, setHelpOpen] = createSignal(false)
export const [findOpen, setFindOpen] = createSignal(false)
export const [wanted, setWanted] = createSignal('')
export const [hits, setHits] = createSignal<readonly Hit[]>([])
/** The session of the gateway that is open. */
export const [session, setSession] = createSignal<string>()
/** The row before which a compaction would cut, while a plan is shown. */
export const [cutRow, setCutRow] = createSignal(-1)
const [unfolded, setUnfolded] = createSignal<ReadonlySet<number>>(new Set())

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

/** Opens the fold that hides a row. */
export function reveal(row: number): void {
  const fold = overview()?.folds.findIndex(({ start, end }) => start <= row && row < end) ?? -1
  if (fold >= 0 && !unfolded().has(fold)) toggleFold(fold)
}

/** Runs a step, and shows what went wrong. */
export async function attempt<T>(step: () => Promise<T>): Promise<T | undefined> {
  setBusy(true)
  try {
    setProblem(undefined)
    return await step()
  } catch (error) {
    setProblem((error as Error).message)
    return undefined
  } finally {
    setBusy(false)
  }
}

export async function show(document: DocumentInfo): Promise<void> {
  setInfo(document)
  setConversation(document.conversations[0]?.id ?? 'main')
  setProvider(undefined)
  setModel(undefined)
  setRepaired(false)
  setActive(-1)
  await refresh()
}

let newest = 0

/** The view again, for other options. What is scrolled to and unfolded stays if the rows are the same. One that began later wins. */
export async function refresh(): Promise<void> {
  const mine = ++newest
  const [who, which] = [provider(), model()]
  const made = await client.view({
    conversation: conversation(),
    ...(who ? { provider: who } : {}),
    ...(which ? { model: which } : {}),
    repaired: repaired(),
    inProgress: session() !== undefined,
  })
  if (mine !== newest) return
  if (made.folds.length !== overview()?.folds.length) setUnfolded(new Set<number>())
  dropRows()
  const showRows = await loadRows(made.count)
  if (mine !== newest) return
  batch(() => {
    showRows()
    setHits([])
    setOverview(made)
  })
}

export async function openBytes(
  name: string,
  bytes: Uint8Array,
  siblings?: Readonly<Record<string, Uint8Array>>,
): Promise<void> {
  await attempt(async () => show(await client.open({ name, bytes, ...(siblings ? { siblings } : {}) })))
}

export async function applyRepair(): Promise<void> {
  await attempt(async () => {
    setInfo(await client.apply(undefined))
    setRepaired(false)
    await refresh()
    setNotice('Applied to the copy in this page. Download it, or undo.')
  })
}

export async function undoRepair(): Promise<void> {
  await attempt(async () => {
    setInfo(await client.undo())
    await refresh()
    setNotice('Undone.')
  })
}

export async function download(what: 'file' | 'patch'): Promise<void> {
  await attempt(async () => {
    const { name, bytes } = await client.download(what)
    const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }))
    const link = Object.assign(document.createElement('a'), { href: url, download: name })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  })
}

export async function copyAs(as: 'request' | 'curl' | 'test'): Promise<void> {
  await attempt(async () => {
    await copyText(await client.copy(as))
    setNotice(`Copied as ${as === 'curl' ? 'cURL' : as === 'test' ? 'test case' : 'request'}.`)
  })
}

/** A page that came over plain HTTP from another machine has no clipboard: there the text is copied from a field. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = Object.assign(document.createElement('textarea'), { value: text })
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (!done) throw new Error('The browser does not allow copying here. Open the raw JSON, and copy it from there.')
}
