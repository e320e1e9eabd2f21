/**
 * An upstream that sends nothing, through a gateway with an idle timeout: its connection is closed, and the client gets
 * the reason.
 */
import { afterEach, expect, it } from 'vitest'
import { taken } from '../../contract/server/testing/ways.ts'
import { inFrontOf } from './start-gateway.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map((close) => close())))

const hi = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
const WORD = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n`

/**
 * An upstream that sends this much and then nothing; `came` resolves with a request, `left` when its client has
 * disconnected.
 */
async function silent(says: string | undefined, options: Parameters<typeof inFrontOf>[1]) {
  let gone = () => {}
  let arrive = () => {}
  const came = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const left = new Promise<void>((resolve) => {
    gone = resolve
  })
  const gateway = await inFrontOf((request, response) => {
    request.resume()
    arrive()
    response.on('close', gone)
    if (says !== undefined) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(says)
  }, options)
  closers.push(gateway.close)
  const ask = (signal?: AbortSignal) =>
    fetch(`${gateway.url}/own/v1/chat/completions`, { method: 'POST', body: hi, ...(signal ? { signal } : {}) })
  return { ask, came, left }
}

it('before it answers: the request is given up at the upstream, and the client gets a timeout error', async () => {
  const { ask, came, left } = await silent(undefined, { guard: { idleTimeoutMs: 60, maxAttempts: 1 } })
  let arrived = false
  void came.then(() => {
    arrived = true
  })
  // On a busy machine the limit may pass before the upstream has the request.
  do {
    const response = await ask()
    expect([response.status, response.headers.get('suture-error')]).toEqual([504, 'upstream-timeout'])
  } while (!arrived)
  await left
})

it('inside a stream: the stream breaks off after what arrived, and the upstream connection is closed', async () => {
  const { ask, left } = await silent(WORD, { guard: { idleTimeoutMs: 60, maxAttempts: 1 } })
  expect(await taken(await ask())).toMatchObject({ text: WORD, broken: true })
  await left
})

it('a client that disconnects first is still noticed, with a limit and without one', async () => {
  for (const guard of [{ idleTimeoutMs: 60_000 }, {}]) {
    const { ask, came, left } = await silent(undefined, { guard })
    const leaving = new AbortController()
    const asked = ask(leaving.signal)
    void came.then(() => leaving.abort())
    await expect(asked).rejects.toThrow()
    await left
  }
})
