/**
 * Nothing of a conversation stays in memory once it was handled: every object of a history can be collected. The
 * histories are wide, deep and full of keys of their own, because what a cache or a stack keeps is mostly that.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { contractFetch } from '../contract/index.ts'
import { guard } from '../src/guard/index.ts'
import { lint, type RepairOptions, repair } from '../src/index.ts'
import { memoryStore, openSession } from '../src/session.ts'
import { running } from './gateway/start-gateway.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Weak references to the objects of histories that this test made, or that were parsed from their text. */
let objects: WeakRef<object>[] = []

const parse = JSON.parse
afterEach(() => {
  vi.unstubAllGlobals()
  JSON.parse = parse
  objects = []
})

/** Objects that are still there after collections; the loop leaves time for what is released late. */
async function left(): Promise<number> {
  let count = objects.length
  for (let i = 0; i < 40 && count > 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    // The last match of a regular expression keeps its text: one string, until the next match.
    ;/./.exec('-')
    collect()
    count = objects.filter((one) => one.deref()).length
  }
  return count
}

/** Notes every marked object in a value. */
function noteAll(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Object.hasOwn(value, 'mark')) objects.push(new WeakRef(value))
  for (const inner of Object.values(value)) noteAll(inner)
  return value
}

/** From now on objects that are parsed are noted, too. */
function noteParsed(): void {
  JSON.parse = (text, reviver) => noteAll(parse(text, reviver))
}

const WIDTH = 2000

/** A conversation with a call that has no answer, and a wide, marked value in the arguments of another. */
function conversation(seed: string) {
  const items = Array.from({ length: WIDTH }, (_, i) => ({ mark: `${seed} ${i}`, [`key ${seed} ${i}`]: i }))
  return [
    { role: 'user', content: `Look at ${seed}. \ud83d` },
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${seed}1`, name: 'look', input: { items } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${seed}1`, content: 'Found.', cache_control: null }],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${seed}2`, name: 'look', input: {} }] },
  ]
}

const target: RepairOptions = { provider: 'anthropic', model: 'claude-opus-4-5' }
const bodyOf = (seed: string) =>
  JSON.stringify({ model: 'claude-opus-4-5', max_tokens: 10, messages: conversation(seed) })

describe('memory of handled histories can be collected', () => {
  it.each<[string, (history: unknown[]) => unknown]>([
    ['lint', (history) => lint(history, target)],
    ['lint, with a fix', (history) => lint(history, target).map(({ fix }) => fix)],
    ['repair', (history) => repair(history, target).value],
    ['repair for the strictest provider', (history) => repair(history, { provider: 'strictest' }).value],
  ])('%s', async (_, use) => {
    use(noteAll(conversation('one')) as unknown[])
    expect(objects.length).toBe(WIDTH)
    expect(await left()).toBe(0)
  })

  it('guard', async () => {
    const fetch = guard({ fetch: contractFetch({ provider: 'anthropic', maxRequests: 0 }), provider: 'anthropic' })
    const send = async (seed: string) => {
      const response = await fetch('http://anywhere/v1/messages', { method: 'POST', body: bodyOf(seed) })
      await response.text()
    }
    noteParsed()
    await send('one')
    JSON.parse = parse
    expect(objects.length).toBeGreaterThanOrEqual(WIDTH)
    expect(await left()).toBe(0)
    // The guard itself is still there.
    expect(fetch).toBeTypeOf('function')
  })

  it('session', async () => {
    const use = async () => {
      const session = await openSession(memoryStore(), 'one', { provider: 'anthropic' })
      await session.append(noteAll(conversation('one')) as unknown[])
      noteAll(await session.history())
    }
    noteParsed()
    await use()
    JSON.parse = parse
    expect(objects.length).toBeGreaterThanOrEqual(WIDTH)
    expect(await left()).toBe(0)
  })

  it('gateway', async () => {
    const gateway = await running({}, { maxRequests: 0 })
    noteParsed()
    const response = await fetch(`${gateway.url}/anthropic/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
      body: bodyOf('one'),
    })
    await response.text()
    JSON.parse = parse
    await gateway.logged()
    expect(objects.length).toBeGreaterThanOrEqual(WIDTH)
    expect(await left()).toBe(0)
    await gateway.close()
  })

  it('viewer: the file before the one that is open', async () => {
    const ask = await viewerWorker()
    const open = async (name: string, history: unknown) => {
      const info = await ask('open', { name, bytes: new TextEncoder().encode(JSON.stringify(history)), siblings: {} })
      await ask('view', {
        conversation: (info as { conversations: { id: string }[] }).conversations[0]!.id,
        repaired: false,
      })
      await ask('rows', 0, 4)
      await ask('find', 'key one')
    }
    noteParsed()
    await open('one.json', conversation('one'))
    JSON.parse = parse
    expect(objects.length).toBeGreaterThanOrEqual(WIDTH)
    await open('two.json', [{ role: 'user', content: 'Hello.' }])
    expect(await left()).toBe(0)
  })
})

/** The viewer's worker in this thread. Its answer to a question; throws if the answer is an error. */
async function viewerWorker(): Promise<(call: string, ...args: unknown[]) => Promise<unknown>> {
  let receive: (event: { data: unknown }) => Promise<void> = async () => {}
  let answer: { value?: unknown; error?: string } = {}
  vi.stubGlobal('addEventListener', (_: string, listener: typeof receive) => {
    receive = listener
  })
  vi.stubGlobal('postMessage', (message: typeof answer) => {
    answer = structuredClone(message)
  })
  // By its address: its types are those of a browser.
  await import(new URL('../src/viewer/worker/main.ts', import.meta.url).href)
  return async (call, ...args) => {
    await receive({ data: { id: 1, call, args } })
    const { value, error } = answer
    answer = {}
    if (error !== undefined) throw new Error(error)
    return value
  }
}
