/**
 * The server of `suture view FILE`: hands out the file once a token is given, and writes it by plan, backup and undo.
 */
import { createSignal } from 'solid-js'
import { mode, model, provider } from './opened.ts'
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
      await ask('api/claim', { token })
    }
    const { name, writes, siblings } = (await ask('api/info')) as {
      name: string
      writes: boolean
      siblings: readonly string[]
    }
    setCanWrite(writes)
    const bytes = await bytesOf('api/file')
    const others: Record<string, Uint8Array> = {}
    for (const sibling of siblings) others[sibling] = await bytesOf(`api/file?sibling=${encodeURIComponent(sibling)}`)
    await openBytes(name, bytes, others)
  })
}

export async function writeFile(): Promise<void> {
  await attempt(async () => {
    const safe = { provider: provider(), model: model(), lossy: false }
    const first = await planOf(safe)
    const target = first.lossy > 0 ? { ...safe, lossy: confirm(lossyQuestion(first.lossy)) } : safe
    const plan = target.lossy ? await planOf(target) : first
    if (!confirm(`${plan.says}\n\nA backup is made first. Write the file?`)) return
    const done = (await ask('api/apply', { ...target, fingerprint: plan.fingerprint })) as { says: string }
    await openServed()
    notify(done.says)
  })
}

interface ServerPlan {
  readonly fingerprint: string
  readonly says: string
  readonly lossy: number
}

async function planOf(target: object): Promise<ServerPlan> {
  return (await ask('api/plan', target)) as ServerPlan
}

function lossyQuestion(count: number): string {
  const errors = count === 1 ? '1 error' : `${count} errors`
  return `${errors} can only be repaired by removing something that a model could read. Repair them, too?\n\nCancel: only repairs that lose nothing.`
}

export async function undoWrite(): Promise<void> {
  await attempt(async () => {
    const done = (await ask('api/undo', {})) as { says: string }
    await openServed()
    notify(done.says)
  })
}

async function ask(path: string, body?: unknown): Promise<unknown> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, init)
  const answer = (await response.json()) as { error?: string }
  if (!response.ok) throw new Error(answer.error ?? `The server answered with ${response.status}.`)
  return answer
}

async function bytesOf(path: string): Promise<Uint8Array> {
  const response = await fetch(path)
  if (!response.ok) throw new Error(`The file could not be read (${response.status}). Start \`suture view\` again.`)
  return new Uint8Array(await response.arrayBuffer())
}
