/**
 * Replacing a key of the gateway keeps its sessions, also those that earlier versions stored under a hash of the key itself.
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
  const gate = await running({ store, keys })
  closing.push(() => gate.close())
  // biome-ignore lint/suspicious/noExplicitAny: the answer as it came.
  const api = async (secret: string, path: string): Promise<any> => {
    const headers = { authorization: `Bearer ${secret}` }
    const response = await fetch(`${gate.url}/suture/v1/sessions${path}`, { headers })
    return { status: response.status, ...((await response.json()) as object) }
  }
  const ask = async (secret: string, id: string, content: string, mode = 'append') => {
    const response = await fetch(`${gate.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'suture-session': id, 'suture-mode': mode },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] }),
    })
    await response.text()
    return { status: response.status, id: response.headers.get('suture-session') }
  }
  return { gate, api, ask }
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

  it('sessions of earlier versions are moved when their key is used, and are there after it was replaced', async () => {
    const store = await stores[name]!()
    // Without keys sessions are stored under a hash of the credential, as they were for keys.
    const earlier = await gateOn(store, [])
    for (const content of ['one', 'two', 'three']) await earlier.ask('carol-old', 'kept', content)
    for (let i = 0; i < 12; i++) await earlier.ask('carol-old', 'recorded', 'same', 'record')
    for (let i = 0; i < 5; i++) await earlier.ask('carol-old', `other-${i}`, 'hi')
    await earlier.gate.logged()
    const before = await earlier.api('carol-old', '?limit=1000')
    const records = (await earlier.api('carol-old', '/kept/export')).records
    const now = await gateOn(store, [key('carol', 'carol-old')])
    expect(await now.api('carol-old', '?limit=1000')).toEqual(before)
    expect((await now.ask('carol-old', 'kept', 'four')).id).toBe('kept')
    expect((await now.api('carol-old', '/kept/export')).records.slice(0, records.length)).toEqual(records)
    expect((await now.api('carol-old', '/kept/history')).messages.length).toBe(8)
    // The rest is moved without being asked for.
    await expect.poll(async () => (await earlier.api('carol-old', '')).sessions).toEqual([])
    const rotated = await gateOn(store, [key('carol', 'carol-new')])
    expect(await rotated.api('carol-new', '?limit=1000')).toEqual(before)
    for (const { id } of before.sessions)
      expect(await rotated.api('carol-new', `/${id}/verify`)).toMatchObject({ valid: true })
    expect((await rotated.ask('carol-new', 'kept', 'five')).id).toBe('kept')
  })

  it('two sessions of one id are both kept, and gateways that move at once move once', async () => {
    const store = await stores[name]!()
    const earlier = await gateOn(store, [])
    for (let i = 0; i < 30; i++) await earlier.ask('dave-old', 'chat', `turn ${i}`)
    const one = await gateOn(store, [key('dave', 'dave-new'), key('dave', 'dave-old')])
    await one.ask('dave-new', 'chat', 'new')
    const two = await gateOn(store, [key('dave', 'dave-old')])
    const all = await Promise.all([one, two, one, two].map((gate) => gate.api('dave-old', '/chat?size=100')))
    expect(all.map(({ messages }) => messages.length)).toEqual([2, 2, 2, 2])
    const { sessions } = await two.api('dave-old', '')
    expect(sessions.length).toBe(2)
    const other = sessions.find(({ id }: { id: string }) => id !== 'chat').id
    expect((await two.api('dave-old', `/${other}?size=100`)).messages.length).toBe(60)
    expect(await two.api('dave-old', `/${other}/verify`)).toMatchObject({ valid: true })
  })
})
