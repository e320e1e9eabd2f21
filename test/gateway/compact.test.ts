/**
 * Compaction over HTTP: planned, done as one record, taken back exactly.
 */
import { afterAll, expect, it } from 'vitest'
import { compactor, keepingShort } from '../../src/cli/compactor.ts'
import { memoryStore, openSession } from '../../src/session-door.ts'
import { running } from './running.ts'

const gate = await running({ store: memoryStore(), compactor })
afterAll(() => gate.close())

// biome-ignore lint/suspicious/noExplicitAny: the answer as it came.
async function post(path: string, body: object): Promise<any> {
  const response = await fetch(gate.url + path, {
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
  const response = await fetch(`${gate.url}/suture/v1/sessions/long/history`, {
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
  expect(planned).toMatchObject({ status: 200, acts: true })
  expect(planned.tokens.after).toBeLessThan(planned.tokens.before)
  expect(await history()).toEqual(before)

  const done = await post('/suture/v1/sessions/long/compact', options)
  expect(done).toMatchObject({ status: 200, acts: true, position: expect.any(Number) })
  const after = await history()
  expect(after.length).toBeLessThan(before.length)
  expect(JSON.stringify(after)).toContain('never delete the audit log')

  const next = await post('/openai/v1/chat/completions', {
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'Go on.' }],
  })
  expect(next.status).toBe(200)
  expect(gate.contract.requests.at(-1)?.verdict).toMatchObject({ accepted: true })

  expect((await post('/suture/v1/sessions/long/undo', {})).status).toBe(200)
  expect((await history()).slice(0, before.length)).toEqual(before)
})

it('says what is wrong with a budget', async () => {
  const { status, error } = await post('/suture/v1/sessions/long/plan', { budget: { limit: 'much' } })
  expect([status, typeof error?.message]).toEqual([400, 'string'])
})

it('makes a kept conversation shorter inside its turn, when that is due, and never rejects', async () => {
  const about = { provider: 'openai', dialect: 'openai-chat', model: 'gpt-4o' }
  const session = await openSession(memoryStore(), 'kept', { provider: 'openai', model: 'gpt-4o' })
  for (let n = 0; n < 12; n++)
    await session.append([
      { role: 'user', content: `Question ${n}. ${'All work and no play. '.repeat(40)}` },
      { role: 'assistant', content: 'No.' },
    ])
  const next = { body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Go on.' }] } }
  const shorten = keepingShort({ budget: { limit: 3000, goal: 1500 }, pins: ['Never delete the audit log.'] }).shorten!
  // What is sent beside the history takes its place in the window, too.
  const roomy = keepingShort({ budget: { limit: 8000, goal: 1500 } }).shorten!
  expect(await roomy(session, about, next)).toMatchObject({ acts: false, why: [{ code: 'fits' }] })
  const tools = [{ type: 'function', function: { name: 'look', description: 'Looks at it. '.repeat(3000) } }]
  const wide = { body: { ...next.body, tools } }
  const done = await session.inTurn(() => shorten(session, about, wide))
  expect(done).toMatchObject({ acts: true, receipt: { strategies: ['summary'], lostPins: 0 } })
  expect(JSON.stringify(await session.history())).toContain('Never delete the audit log.')
  const broken = keepingShort({ budget: { limit: Number.NaN } }).shorten!
  expect(await broken(session, about, next)).toMatchObject({ acts: false, why: [{ code: 'failed' }] })
})
