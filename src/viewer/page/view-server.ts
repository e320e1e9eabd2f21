/**
 * The client of the server of `suture view FILE`, which sends the file after a token and writes it by plan, backup and
 * undo.
 */
import { createSignal } from 'solid-js'
import { mode, target } from './opened.ts'
import { attempt, notify } from './status.ts'
import { openBytes } from './view-actions.ts'

export const [canWrite, setCanWrite] = createSignal(false)

/** Exchanges the token in the hash for a cookie, and opens the file. */
export async function openServed(): Promise<void> {
  if (mode !== 'view') return
  await attempt(async () => {
    const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1]
    if (token !== undefined) {
      history.replaceState(null, '', location.pathname)
      await call('api/claim', { token })
    }
    const { name, writes, siblings } = await call<ServedFile>('api/info')
    setCanWrite(writes)
    const bytes = await bytesOf('api/file')
    const others: Record<string, Uint8Array> = {}
    for (const sibling of siblings) others[sibling] = await bytesOf(`api/file?sibling=${encodeURIComponent(sibling)}`)
    await openBytes(name, bytes, others)
  })
}

export async function writeFile(): Promise<void> {
  await attempt(async () => {
    const safe = { ...target(), lossy: false }
    const first = await call<Plan>('api/plan', safe)
    const chosen = first.lossy > 0 ? { ...safe, lossy: confirm(lossyQuestion(first.lossy)) } : safe
    const plan = chosen.lossy ? await call<Plan>('api/plan', chosen) : first
    if (!confirm(`${plan.message}\n\nA backup is made first. Write the file?`)) return
    await change('api/apply', { ...chosen, fingerprint: plan.fingerprint })
  })
}

export async function undoWrite(): Promise<void> {
  await attempt(() => change('api/undo', {}))
}

interface ServedFile {
  readonly name: string
  readonly writes: boolean
  readonly siblings: readonly string[]
}

interface Plan {
  readonly fingerprint: string
  readonly message: string
  readonly lossy: number
}

function lossyQuestion(count: number): string {
  const errors = count === 1 ? '1 error' : `${count} errors`
  return `${errors} can only be repaired by removing something that a model could read. Repair them, too?\n\nCancel: only repairs that lose nothing.`
}

/** Changes the file on disk, and opens it again. */
async function change(path: string, body: object): Promise<void> {
  const { message } = await call<{ readonly message: string }>(path, body)
  await openServed()
  notify(message)
}

async function call<T>(path: string, body?: object): Promise<T> {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, init)
  const answer = (await response.json()) as T & { error?: string }
  if (!response.ok) throw new Error(answer.error ?? `The server answered with ${response.status}.`)
  return answer
}

async function bytesOf(path: string): Promise<Uint8Array> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`The file could not be read (${response.status}). Start \`suture view\` again.`)
  return new Uint8Array(await response.arrayBuffer())
}
