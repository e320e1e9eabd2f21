/**
 * Compaction over HTTP: planned, done as one record, taken back exactly.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { compactor, compactorForAppend } from '../../src/cli/server/compactor.ts'
import { compactSession } from '../../src/compact.ts'
import type { Compactor, NextRequest } from '../../src/gateway/index.ts'
import { memoryStore, openSession, openStore } from '../../src/session.ts'
import { running } from './start-gateway.ts'

const gateway = await running({ store: memoryStore(), compactor })
afterAll(() => gateway.close())

// biome-ignore lint/suspicious/noExplicitAny: the answer as it came.
async function post(path: string, body: object): Promise<any> {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer me',
      'suture-session': 'long',
      'suture-mode': 'append',
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, ...((await response.json()) as object) }
}

async function history(): Promise<readonly unknown[]> {
  const response = await fetch(`${gateway.url}/suture/v1/sessions/long/history`, {
    headers: { authorization: 'Bearer me' },
  })
  return ((await response.json()) as { messages: unknown[] }).messages
}

it('plans first, then does it, keeps pins, and undoes it', async () => {
  for (let turn = 0; turn < 12; turn++) {
    const content = `Turn ${turn}: never delete the audit log. ${'All work and no play. '.repeat(40)}`
    const { status } = await post('/openai/v1/chat/completions', {
      model: 'gpt-4o',
      messages: [{ role: 'user', content }],
    })
    expect(status).toBe(200)
  }
  const before = await history()
  const options = { budget: { limit: 1500, goal: 800 }, pins: ['never delete the audit log'] }

  const planned = await post('/suture/v1/sessions/long/plan', options)
  expect(planned).toMatchObject({ status: 200, changesAnything: true })
  expect(planned.tokens.after).toBeLessThan(planned.tokens.before)
  expect(await history()).toEqual(before)

  const done = await post('/suture/v1/sessions/long/compact', options)
  expect(done).toMatchObject({ status: 200, changesAnything: true, position: expect.any(Number) })
  const after = await history()
  expect(after.length).toBeLessThan(before.length)
  expect(JSON.stringify(after)).toContain('never delete the audit log')

  const next = await post('/openai/v1/chat/completions', {
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'Go on.' }],
  })
  expect(next.status).toBe(200)
  expect(gateway.contract.requests.at(-1)?.verdict).toMatchObject({ accepted: true })

  expect((await post('/suture/v1/sessions/long/undo', {})).status).toBe(200)
  expect((await history()).slice(0, before.length)).toEqual(before)
})

it('reports an error in a budget', async () => {
  const { status, error } = await post('/suture/v1/sessions/long/plan', { budget: { limit: 'much' } })
  expect([status, typeof error?.message]).toEqual([400, 'string'])
})

it('what it cannot do it rejects, before anything is done', async () => {
  await post('/openai/v1/chat/completions', { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] })
  for (const odd of [{ pins: 'never' }, { pins: [1] }, { budget: 5 }, { force: 'yes' }, { limit: 5 }])
    for (const deed of ['plan', 'compact'])
      expect(await post(`/suture/v1/sessions/long/${deed}`, odd)).toMatchObject({
        status: 400,
        error: { code: 'bad-session' },
      })
})

it('a compactor with `shorten` is called before each turn in append mode, and requests stay short', async () => {
  const budget = { limit: 1500, goal: 800 }
  const asked: NextRequest[] = []
  const shorten: NonNullable<Compactor['shorten']> = async (session, about, next) => {
    asked.push(next)
    expect(about).toMatchObject({ provider: 'openai', dialect: 'openai-chat', model: 'gpt-4o' })
    const { changesAnything, why } = await compactSession(session, { budget })
    return { changesAnything, why: why.map(({ code, message }) => ({ code, message })), receipt: { changesAnything } }
  }
  const short = await running({ store: memoryStore(), compactor: { ...compactor, shorten } })
  for (let turn = 0; turn < 12; turn++) {
    const response = await fetch(`${short.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'suture-session': 'kept', 'suture-mode': 'append' },
      body: JSON.stringify({
        model: 'gpt-4o',
        messages: [{ role: 'user', content: `Turn ${turn}. ${'All work and no play. '.repeat(40)}` }],
      }),
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  const lines = await short.logged()
  expect(lines.filter((line) => line['compacted'] !== undefined).length).toBeGreaterThan(0)
  const sent = short.contract.requests.map(({ bytes, verdict }) => ({ bytes: bytes.length, ok: verdict?.accepted }))
  expect(sent.every(({ ok }) => ok)).toBe(true)
  expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThan(12 * 900)
  expect([asked.length, asked[0]?.lastRequestAt, typeof asked[1]?.lastRequestAt]).toEqual([12, undefined, 'number'])
  expect([asked[0]?.usage, typeof asked[1]?.usage?.input]).toEqual([undefined, 'number'])
  await short.close()
})

it('two gateways that compact at the same time compact once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'suture-two-'))
  // A handle of its own for each: what they share is the file.
  const stores = await Promise.all([0, 1].map(() => openStore(`sqlite:${folder}/chats.db`)))
  const gates = await Promise.all(stores.map((store) => running({ store, compactor })))
  const headers = { 'content-type': 'application/json', 'suture-session': 'both', 'suture-mode': 'append' }
  for (let turn = 0; turn < 12; turn++) {
    const content = `Turn ${turn}. ${'All work and no play. '.repeat(40)}`
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] })
    await (await fetch(`${gates[turn % 2]!.url}/openai/v1/chat/completions`, { method: 'POST', headers, body })).text()
  }
  const body = JSON.stringify({ budget: { limit: 1500, goal: 800 } })
  const ask = ({ url }: { url: string }) => fetch(`${url}/suture/v1/sessions/both/compact`, { method: 'POST', body })
  const answers = await Promise.all(gates.map(ask))
  for (const answer of answers) expect([200, 409]).toContain(answer.status)
  const { records } = (await (await fetch(`${gates[0]!.url}/suture/v1/sessions/both/export`)).json()) as {
    records: { kind: string }[]
  }
  expect(records.filter(({ kind }) => kind === 'patch').length).toBe(1)
  const verified = await (await fetch(`${gates[1]!.url}/suture/v1/sessions/both/verify`)).json()
  expect(verified).toMatchObject({ valid: true })
  for (const one of gates) await one.close()
  for (const store of stores) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

it('makes a kept conversation shorter inside its turn, when that is due, and never rejects', async () => {
  const about = { provider: 'openai', dialect: 'openai-chat', model: 'gpt-4o' } as const
  const session = await openSession(memoryStore(), 'kept', { provider: 'openai', model: 'gpt-4o' })
  for (let n = 0; n < 12; n++)
    await session.append([
      { role: 'user', content: `Question ${n}. ${'All work and no play. '.repeat(40)}` },
      { role: 'assistant', content: 'No.' },
    ])
  const next = { body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Go on.' }] } }
  const shorten = compactorForAppend({ budget: { limit: 3000, goal: 1500 }, pins: ['Never delete the audit log.'] })
    .shorten!
  // What is sent beside the history takes its place in the window, too.
  const roomy = compactorForAppend({ budget: { limit: 8000, goal: 1500 } }).shorten!
  expect(await roomy(session, about, next)).toMatchObject({ changesAnything: false, why: [{ code: 'fits' }] })
  const tools = [{ type: 'function', function: { name: 'look', description: 'Looks at it. '.repeat(3000) } }]
  const wide = { body: { ...next.body, tools } }
  const done = await session.inTurn(() => shorten(session, about, wide))
  expect(done).toMatchObject({ changesAnything: true, receipt: { strategies: ['summary'], lostPins: 0 } })
  expect(JSON.stringify(await session.history())).toContain('Never delete the audit log.')
  const broken = compactorForAppend({ budget: { limit: Number.NaN } }).shorten!
  expect(await broken(session, about, next)).toMatchObject({ changesAnything: false, why: [{ code: 'failed' }] })
})
