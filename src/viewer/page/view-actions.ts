/** Opens documents, shows them for other options, and repairs the copy in the page. */
import { batch } from 'solid-js'
import type { DocumentInfo } from '../worker/protocol.ts'
import { client } from './client.ts'
import {
  conversation,
  overview,
  previewRepair,
  repaired,
  session,
  setDocument,
  setOverview,
  setSession,
  setTarget,
  target,
  updateDocument,
} from './opened.ts'
import { fileLink, go } from './route.ts'
import { dropRows, loadRows } from './rows-store.ts'
import { setActive, setHits, unfolded } from './selection.ts'
import { attempt, notify } from './status.ts'

export async function show(document: DocumentInfo): Promise<void> {
  setDocument(document)
  setActive(-1)
  await refresh()
}

let newest = 0

/** Reads the view again, and keeps scroll offset and folds if the rows are the same. Of several calls the last wins. */
export async function refresh(): Promise<void> {
  const mine = ++newest
  const made = await client.view({
    conversation: conversation(),
    ...target(),
    repaired: repaired(),
    inProgress: session() !== undefined,
  })
  if (mine !== newest) return
  if (made.folds.length !== overview()?.folds.length) unfolded.clear()
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
  await attempt(async () => show(await client.open({ name, bytes, siblings })))
}

/** Opens the first file. The others belong to it, for example a folder of sub-agents. */
export async function openFiles(files: readonly File[]): Promise<void> {
  const [main, ...rest] = files
  if (!main) return
  const siblings: Record<string, Uint8Array> = {}
  for (const file of rest) siblings[file.webkitRelativePath || file.name] = await bytesOf(file)
  setSession(undefined)
  await openBytes(main.name, await bytesOf(main), siblings)
  if (!location.hash.startsWith('#/file')) go(fileLink(conversation()))
}

async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer())
}

export async function chooseTarget(chosen: ReturnType<typeof target>): Promise<void> {
  setTarget(chosen)
  await attempt(refresh)
}

export async function togglePreview(): Promise<void> {
  previewRepair(!repaired())
  await attempt(refresh)
}

export async function applyRepair(): Promise<void> {
  await attempt(async () => {
    updateDocument(await client.apply())
    previewRepair(false)
    await refresh()
    notify('Applied to the copy in this page. Download it, or undo.')
  })
}

export async function undoRepair(): Promise<void> {
  await attempt(async () => {
    updateDocument(await client.undo())
    await refresh()
    notify('Undone.')
  })
}
