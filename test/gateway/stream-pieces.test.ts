/**
 * Streams of sessions: passed on piece by piece whatever text they contain, and the end after it is stored.
 */
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { way } from '../../contract/server/testing/ways.ts'
import { memoryStore } from '../../src/session.ts'
import { heldOpen, post, unchunked } from './raw-socket.ts'
import { inFrontOf, running } from './start-gateway.ts'

const gateway = await running({ store: memoryStore() })
afterAll(() => gateway.close())
const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map((close) => close())))

/** The terminal event of every dialect. */
const ENDS =
  'finishReason "finish_reason":"stop" message_stop [DONE] messageStop response.completed response.incomplete response.failed'
const LAST = 'The last words before the silence.'
let count = 0

describe.each(['messages', 'chat', 'responses', 'gemini', 'converse'] as const)('%s', (endpoint) => {
  const one = way(endpoint, true, undefined, endpoint === 'responses' ? 'openai' : undefined)
  const ask = (mode: string) =>
    post(one.path, JSON.stringify(one.body), [`suture-session: pieces-${++count}`, `suture-mode: ${mode}`])
  const reply = { text: ENDS + LAST + ' And more to come.', chunkBytes: ENDS.length + LAST.length }

  it.each(['record', 'append'])('%s: words that other dialects end with hold nothing back', async (mode) => {
    // One answer that stops in its middle: what came before must be there, since nothing more will come.
    gateway.contract.script({ ...reply, fault: `stall-after-events=${await events()}` })
    const { text } = await heldOpen(gateway.url, ask(mode), (text) => text.includes(LAST))
    expect(text).toContain(LAST)
  })

  it.each(['record', 'append'])('%s: the answer is the provider’s, byte for byte, and stored', async (mode) => {
    gateway.contract.script(reply)
    const asked = ask(mode)
    const { text } = await heldOpen(gateway.url, asked)
    const sent = Buffer.concat(gateway.contract.requests.at(-1)!.answer.writes).toString('latin1')
    expect(unchunked(text)).toEqual({ body: sent, whole: true })
    const log = await fetch(`${gateway.url}/suture/v1/sessions/pieces-${count}`)
    expect(await log.text()).toContain('The last words before the silence.')
  })

  /** Events up to the one with the last words. */
  async function events(): Promise<number> {
    gateway.contract.script(reply)
    await heldOpen(gateway.url, ask('record'))
    const { writes } = gateway.contract.requests.at(-1)!.answer
    return writes.findIndex((write) => Buffer.from(write).includes(LAST)) + 1
  }
})

it('an upstream that keeps the connection open after the end does not hold the end back', async () => {
  const own = await inFrontOf(
    (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Yes."}}]}\n\n')
      response.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    },
    { store: memoryStore() },
  )
  closers.push(own.close)
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
  const ask = post('/own/v1/chat/completions', body, ['suture-session: open'])
  const { text } = await heldOpen(own.url, ask)
  expect(unchunked(text)).toMatchObject({ body: expect.stringContaining('[DONE]'), whole: true })
  const log = await fetch(`${own.url}/suture/v1/sessions/open`)
  expect(await log.json()).toMatchObject({ messages: [{}, { content: 'Yes.' }] })
})
