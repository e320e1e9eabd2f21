/**
 * Replacing a key of the gateway keeps its sessions.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hashOf } from '../../src/gateway/index.ts'
import { memoryStore, openStore, type Store } from '../../src/session.ts'
import { running } from './start-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-rotation-'))
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
  rmSync(folder, { recursive: true, force: true })
})

const key = (name: string, secret: string) => ({ name, hash: hashOf(secret) })

async function gateOn(store: Store, keys: readonly ReturnType<typeof key>[]) {
  const gateway = await running({ store, keys })
  closing.push(() => gateway.close())
  // biome-ignore lint/suspicious/noExplicitAny: the answer as it came.
  const api = async (secret: string, path: string): Promise<any> => {
    const headers = { authorization: `Bearer ${secret}` }
    const response = await fetch(`${gateway.url}/suture/v1/sessions${path}`, { headers })
    return { status: response.status, ...((await response.json()) as object) }
  }
  const ask = async (secret: string, id: string, content: string, mode = 'append') => {
    const response = await fetch(`${gateway.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'suture-session': id, 'suture-mode': mode },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] }),
    })
    await response.text()
    return { status: response.status, id: response.headers.get('suture-session') }
  }
  return { gateway, api, ask }
}

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => memoryStore(),
  sqlite: async () => {
    const store = await openStore(`sqlite:${join(folder, 'sessions.db')}`)
    closing.push(() => store.close())
    return store
  },
}

describe.each(Object.keys(stores))('%s', (name) => {
  it('a new key of the same name has the sessions, and another name has not', async () => {
    const store = await stores[name]!()
    const first = await gateOn(store, [key('alice', 'old'), key('bob', 'his')])
    expect((await first.ask('old', 'chat', 'one')).status).toBe(200)
    const rotated = await gateOn(store, [key('alice', 'new'), key('bob', 'his')])
    expect((await rotated.ask('new', 'chat', 'two')).status).toBe(200)
    expect((await rotated.api('new', '/chat?size=100')).messages.length).toBe(4)
    expect((await rotated.api('his', '/chat')).status).toBe(404)
    expect((await rotated.api('old', '/chat')).status).toBe(401)
    const both = await gateOn(store, [key('alice', 'new'), key('alice', 'old')])
    for (const secret of ['new', 'old']) expect((await both.api(secret, '')).sessions).toEqual([{ id: 'chat' }])
  })
})
