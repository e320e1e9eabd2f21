/**
 * Recorded conversations that are sent whole each time: the log is not read again for what is known, and nothing is
 * taken for known that is not.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { memoryStore, type Store } from '../../src/session.ts'
import { running } from './start-gateway.ts'

const inner = memoryStore()
let read = 0
const store: Store = new Proxy(inner, {
  get(target, name) {
    if (name !== 'read') return bound(target, name)
    return async (...asked: Parameters<Store['read']>) => {
      const found = await inner.read(...asked)
      read += found.length
      return found
    }
  },
})
const [one, two] = await Promise.all([running({ store }), running({ store })])
afterAll(() => Promise.all([one.close(), two.close()]))

function bound(target: object, name: string | symbol): unknown {
  const value = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}

const user = (content: string) => ({ role: 'user', content })
type Message = { role: string; content: string }

async function ask(id: string, messages: readonly unknown[], gateway = one, more: object = {}) {
  const response = await fetch(`${gateway.url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer me', 'suture-session': id },
    body: JSON.stringify({ model: 'gpt-4o', messages, ...more }),
  })
  const { choices } = (await response.json()) as { choices: { message: Message }[] }
  return { id: response.headers.get('suture-session'), reply: choices[0]!.message }
}

async function contents(id: string): Promise<string[]> {
  const response = await fetch(`${one.url}/suture/v1/sessions/${id}?from=oldest&size=1000`, {
    headers: { authorization: 'Bearer me' },
  })
  return ((await response.json()) as { messages: Message[] }).messages.map((message) => message.content)
}

async function turns(id: string, count: number, gates = [one]): Promise<unknown[]> {
  const messages: unknown[] = []
  for (let turn = 0; turn < count; turn++) {
    messages.push(user(`turn ${turn}`))
    const answer = await ask(id, messages, gates[turn % gates.length])
    expect(answer.id).toBe(id)
    messages.push(answer.reply)
  }
  return messages
}

it('the fortieth turn reads no more of the log than the second', async () => {
  const messages = await turns('long', 40)
  read = 0
  messages.push(user('one more'))
  const { id, reply } = await ask('long', messages)
  expect([id, read]).toEqual(['long', 0])
  expect(await contents('long')).toEqual([...messages, reply].map((message) => (message as Message).content))
  expect(one.metrics()).toMatch(/suture_session_writes_total\{outcome="done"\} 41/)
})

describe('the cached prefix is compared with the request', () => {
  it.each([
    ['another word early on, with as many letters', 'edited', 0, user('turn X')],
    ['another answer than was given', 'denied', -1, { role: 'assistant', content: 'No.' }],
  ])('%s: a revision', async (_name, id, at, message) => {
    const messages = (await turns(id, 4)).with(at, message)
    const answer = await ask(id, [...messages, user('and?')])
    expect(answer.id).toBe(id)
    const all = [...messages, user('and?'), answer.reply] as Message[]
    expect(await contents(id)).toEqual(all.map(({ content }) => content))
    expect((await ask(id, [...all, user('more')])).id).toBe(id)
  })

  it('the key of the history twice in a body: the last one is compared', async () => {
    const messages = await turns('double', 2)
    // The last of two keys is what a parser takes.
    const known = JSON.stringify({ model: 'gpt-4o', messages: [...messages, user('three')] })
    const body = `${known.slice(0, -1)},"messages":${JSON.stringify([user('else')])}}`
    const response = await fetch(`${one.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer me', 'suture-session': 'double' },
      body,
    })
    await response.text()
    expect(response.headers.get('suture-branch')).toBe('double~2')
  })

  it('deleted meanwhile: a new session begins', async () => {
    const messages = await turns('gone', 2)
    const headers = { authorization: 'Bearer me' }
    await fetch(`${two.url}/suture/v1/sessions/gone`, { method: 'DELETE', headers })
    const { id, reply } = await ask('gone', [...messages, user('still?')])
    expect(id).toBe('gone')
    expect(await contents('gone')).toEqual(
      [...messages, user('still?'), reply].map((message) => (message as Message).content),
    )
  })
})

describe('two gateways on one store', () => {
  it('in turns: one conversation, no branch', async () => {
    const messages = await turns('shared', 6, [one, two])
    expect(await contents('shared')).toEqual(messages.map((message) => (message as Message).content))
  })

  it('both at once from one history: both answers are kept, in two branches', async () => {
    const messages = await turns('race', 2, [one, two])
    await Promise.all([ask('race', [...messages, user('left')], one), ask('race', [...messages, user('right')], two)])
    await Promise.all([one.logged(), two.logged()])
    const ids = (await store.list('', 1e6)).map((name) => name.slice(name.indexOf('/') + 1))
    const all = await Promise.all(ids.filter((id) => id.startsWith('race')).map(contents))
    expect(all.map((list) => list[4]).sort()).toEqual(['left', 'right'])
  })
})
