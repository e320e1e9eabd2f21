/**
 * Actions on a session of the gateway: open, revert, fork, compact, undo, delete. The session is shown again after
 * each.
 */
import { client } from './client.ts'
import { call, sessionPath } from './gateway.ts'
import { session, setSession, updateDocument } from './opened.ts'
import { go, sessionLink } from './route.ts'
import { expectEnd } from './rows-store.ts'
import { attempt, notify } from './status.ts'
import { refresh, show } from './view-actions.ts'

interface Page {
  readonly messages: readonly unknown[]
  readonly cursor?: string
  readonly provider: string
  readonly dialect: string
  readonly model?: string
}

/** The session that is being opened. Answers for another session are ignored. */
let opening: string | undefined

export async function openGatewaySession(id: string): Promise<void> {
  opening = id
  await attempt(async () => {
    const read = await readSession(id)
    if (opening !== id) return
    const document = await client.openSession(read)
    setSession(id)
    expectEnd()
    await show(document)
  })
  if (opening === id) opening = undefined
}

let isStale = false
let reloading: Promise<void> | undefined

/** Reads the open session again, and keeps the scroll offset. All events that arrive meanwhile cause one more pass. */
export function reloadSession(): Promise<void> {
  isStale = true
  reloading ??= reloadUntilFresh().finally(() => {
    reloading = undefined
  })
  return reloading
}

async function reloadUntilFresh(): Promise<void> {
  while (isStale) {
    isStale = false
    const begun = performance.now()
    await reloadOnce()
    // A long session under steady traffic must not be read all the time.
    const pause = Math.min(2_000, performance.now() - begun)
    if (isStale) await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

async function reloadOnce(): Promise<void> {
  const id = session()
  if (id === undefined) return
  const read = await readSession(id)
  if (session() !== id || opening !== undefined) return
  updateDocument(await client.openSession(read))
  await refresh()
}

async function readSession(id: string) {
  const { messages: next } = await call<Pick<Page, 'messages'>>('GET', `${sessionPath(id)}/history`)
  const stored: unknown[] = []
  let page: Page | undefined
  do {
    const cursor: string = page?.cursor === undefined ? '' : `&cursor=${encodeURIComponent(page.cursor)}`
    page = await call<Page>('GET', `${sessionPath(id)}?from=oldest&size=500${cursor}`)
    for (const message of page.messages) stored.push(message)
  } while (page.cursor !== undefined)
  const { provider, dialect, model } = page
  return { id, stored, next, provider, dialect, model }
}

async function act(what: string, body: unknown, done: string): Promise<void> {
  const id = session()
  if (id === undefined) return
  await attempt(async () => {
    await call('POST', `${sessionPath(id)}/${what}`, body)
    await reloadSession()
    notify(done)
  })
}

export function compactSession(force: boolean): Promise<void> {
  return act('compact', force ? { force } : {}, 'Compacted. Undo reverses it.')
}

export function undoSession(): Promise<void> {
  return act('undo', {}, 'Undone.')
}

export async function revertSession(turn: number): Promise<void> {
  if (confirm(`Remove turn ${turn} and all later turns? Undo restores them.`))
    await act('revert', { turn }, `Reverted to before turn ${turn}. Undo restores it.`)
}

export async function forkSession(turn: number, id: string): Promise<void> {
  const from = session()
  if (from === undefined || id === '') return
  await attempt(async () => {
    await call('POST', `${sessionPath(from)}/fork`, { id, turn })
    go(sessionLink(id))
    notify(`Forked as ${id}.`)
  })
}

export async function deleteSession(id: string): Promise<boolean> {
  if (!confirm(`Delete the session ${id} for good? This cannot be undone.`)) return false
  const done = await attempt(() => call('DELETE', sessionPath(id)))
  return done !== undefined
}
