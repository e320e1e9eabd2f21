/**
 * A store that hangs or fails holds nothing up: recorded requests go on unrecorded with a warning, append mode is a
 * 503, readiness answers.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { memoryStore, type Store } from '../../src/session.ts'
import { running } from './start-gateway.ts'

type Name = keyof Store
const CALLS: readonly Name[] = ['head', 'append', 'read', 'list', 'find', 'purge']
const inner = memoryStore()
let hangs: ReadonlySet<Name> = new Set()
/** Calls let through before they hang. */
let first = 0
const store: Store = new Proxy(inner, {
  get(target, name) {
    const value = Reflect.get(target, name)
    if (typeof value !== 'function') return value
    return (...given: unknown[]) =>
      hangs.has(name as Name) && --first < 0 ? new Promise(() => {}) : value.apply(target, given)
  },
})
const gateway = await running({ store, limits: { storeTimeoutMs: 60 } })
afterAll(() => gateway.close())
beforeEach(() => {
  hangs = new Set()
  first = 0
})

let count = 0
const user = (content: string) => ({ role: 'user', content })

async function ask(mode: string, id = `hang-${++count}`, more: object = {}) {
  const response = await fetch(`${gateway.url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'suture-session': id, 'suture-mode': mode },
    body: JSON.stringify({ model: 'gpt-4o', messages: [user('Hi')], ...more }),
  })
  const text = await response.text()
  const { headers } = response
  return { status: response.status, code: headers.get('suture-error'), warning: headers.get('suture-warning'), text }
}

describe.each([...CALLS.map((name) => [name]), CALLS])('%s', (...names) => {
  it('record: the request is answered', async () => {
    hangs = new Set(names)
    const { status, text } = await ask('record')
    expect([status, JSON.parse(text).choices.length]).toEqual([200, 1])
  })

  it('append: answered, or a 503 that is not forwarded', async () => {
    hangs = new Set(names)
    const seen = gateway.contract.requests.length
    const { status, code } = await ask('append')
    if (status === 200) return
    expect([status, code, gateway.contract.requests.length]).toEqual([503, 'store-failed', seen])
  })
})

it('an unrecorded request is reported in the log and in a header, and recorded with the next request', async () => {
  hangs = new Set(CALLS)
  const { status, warning } = await ask('record', 'later')
  expect([status, warning]).toEqual([200, 'not-recorded; code=store-failed'])
  const line = (await gateway.logged()).at(-1)!
  expect([line.level, line['warning']]).toEqual(['warn', 'not-recorded: store-failed'])
  hangs = new Set()
  await expect.poll(async () => (await ask('record', 'later')).warning).toBe(null)
  const response = await fetch(`${gateway.url}/suture/v1/sessions/later/history`)
  expect(((await response.json()) as { messages: unknown[] }).messages.length).toBe(2)
})

it('a store that hangs after the answer: the answer is still sent, streamed or not', async () => {
  for (const stream of [false, true]) {
    hangs = new Set(['append'])
    // The note of a new session and the prompt are stored, the answer is not.
    first = 2
    const { status, text, warning } = await ask('record', undefined, { stream })
    expect(status).toBe(200)
    expect(text).toContain(stream ? '[DONE]' : 'choices')
    if (!stream) expect(warning).toBe('not-recorded; code=store-failed')
    await gateway.logged()
  }
})

it('the API of sessions is a 503', async () => {
  hangs = new Set(CALLS)
  const response = await fetch(`${gateway.url}/suture/v1/sessions`)
  expect([response.status, response.headers.get('suture-error')]).toEqual([503, 'store-failed'])
})

it('readiness answers while the store hangs, and again when it is back', async () => {
  hangs = new Set(CALLS)
  expect((await fetch(`${gateway.url}/suture/ready`)).status).toBe(503)
  expect((await fetch(`${gateway.url}/suture/health`)).status).toBe(200)
  hangs = new Set()
  expect((await fetch(`${gateway.url}/suture/ready`)).status).toBe(200)
})
