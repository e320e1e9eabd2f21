/**
 * Files that were dropped or chosen. The first is opened; others that came with it belong to it, as a folder of sub-agents does.
 */
import { conversation, setSession } from './opened.ts'
import { fileLink, go } from './route.ts'
import { openBytes } from './view-actions.ts'

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
