/**
 * An upstream that breaks off, through the real gateway: all that came before the break arrives, the client sees a lost
 * connection, and asking again works. What is not a break stays what it was.
 */

import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { request, taken, way } from '../../contract/server/testing/ways.ts'
import { gateway } from '../../src/gateway/index.ts'
import { type Loose, sdks } from './clients.ts'
import { frameworks } from './frameworks.ts'
import { heldOpen, post, unchunked } from './raw-socket.ts'
import { inFrontOf, running } from './start-gateway.ts'

const server = await running()
afterAll(() => server.close())
const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map((close) => close())))

const TEXT = 'An answer, déjà vu, with 中文 and 😀 in it, long enough for a good many events.'
const reply = { text: TEXT, chunkBytes: 6 }
const clients = Object.entries({ ...sdks, ...frameworks }).filter(([name]) => name !== 'curl')

describe.each(clients)('%s', (_name, client) => {
  it.each(['cut-after-events=8', 'cut-in-character', 'end-after-events=8'] as const)(
    '%s: throws, and a retry has the answer',
    async (fault) => {
      server.contract.script({ ...reply, fault }, reply)
      const asked = server.contract.requests.length
      const ask = () => client.ask({ url: server.url, headers: {}, stream: true }, [client.user('Hi')])
      await expect(ask()).rejects.toThrow()
      expect(server.contract.requests.length).toBe(asked + 1)
      expect((await ask()).text).toBe(TEXT)
      expect((await server.logged()).at(-2)).toMatchObject({
        level: 'warn',
        incomplete: 'cut',
        upstreamDisconnected: true,
      })
    },
  )
})

const ENDPOINTS = ['messages', 'chat', 'responses', 'gemini', 'converse'] as const

describe.each(ENDPOINTS)('%s, on the wire', (endpoint) => {
  const one = way(endpoint, true, undefined, endpoint === 'responses' ? 'openai' : undefined)
  const bytes = () => post(one.path, JSON.stringify(one.body))
  const sent = () => Buffer.concat(server.contract.requests.at(-1)!.answer.writes).toString('latin1')

  it.each(['cut-after-events=8', 'cut-in-character', 'end-after-events=8'] as const)(
    '%s: every byte arrives, then the connection is reset',
    async (fault) => {
      for (const pace of [0, 2]) {
        server.contract.script({ ...reply, paceMs: pace, fault })
        const { text, ended } = await heldOpen(server.url, bytes())
        expect(unchunked(text)).toEqual({ body: sent(), whole: false })
        expect(ended).toBe('reset')
      }
    },
  )

  it('an error event of the provider is passed on unchanged, and its end is a clean end', async () => {
    server.contract.script({ ...reply, fault: 'error-event=8' })
    const { text, ended } = await heldOpen(server.url, bytes())
    expect([unchunked(text), ended]).toEqual([{ body: sent(), whole: true }, 'close'])
  })
})

it('a client of HTTP/1.0, where the close is the end, sees a reset', async () => {
  const { path, body } = way('chat', true)
  const ask = post(path, JSON.stringify(body)).toString('latin1').replace('HTTP/1.1', 'HTTP/1.0')
  server.contract.script({ ...reply, fault: 'cut-after-events=8' }, reply)
  expect((await heldOpen(server.url, ask)).ended).toBe('reset')
  expect((await heldOpen(server.url, ask)).ended).toBe('close')
})

describe('an upstream whose dialect only the path tells', () => {
  const start = async (fault: 'cut-after-events=8' | 'end-after-events=8') => {
    const upstreams = { own: { url: `${server.contract.url}/openai` } }
    const own = await running({ upstreams })
    closers.push(own.close)
    server.contract.script({ ...reply, fault })
    const { body } = way('chat', true)
    const asked = heldOpen(own.url, post('/own/v1/chat/completions', JSON.stringify(body)))
    const { text, ended } = await asked
    return { ...unchunked(text), ended, line: (await own.logged()).at(-1) }
  }

  it('keeps its clean end, and the log has `incomplete`', async () => {
    const { whole, ended, line } = await start('end-after-events=8')
    expect([whole, ended]).toEqual([true, 'close'])
    expect(line).toMatchObject({ incomplete: 'cut' })
    expect(line).not.toHaveProperty('broke')
  })

  it('breaks off where the upstream broke off', async () => {
    const { whole, ended, line } = await start('cut-after-events=8')
    expect([whole, ended]).toEqual([false, 'reset'])
    expect(line).toMatchObject({ incomplete: 'cut', upstreamDisconnected: true })
  })
})

it('what the guard does not know breaks off the same way', async () => {
  const own = await inFrontOf((asked, response) => {
    asked.resume()
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.write('half of', () => response.destroy())
  })
  closers.push(own.close)
  const { text, ended } = await heldOpen(own.url, post('/own/v1/other', '{}'))
  expect([unchunked(text), ended]).toEqual([{ body: 'half of', whole: false }, 'reset'])
  expect((await own.logged()).at(-1)).toMatchObject({ upstreamDisconnected: true })
})

const messages = [{ role: 'user' as const, content: 'Hi' }]

/** Official clients with the retries that they have by themselves, or where they are switched on. */
const RETRYING: Readonly<Record<string, (url: string) => PromiseLike<string | null>>> = {
  openai(url) {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/openai/v1` })
    return client.chat.completions.stream({ model: 'gpt-4o', messages }).finalContent()
  },
  async responses(url) {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${url}/openai/v1` })
    const answer: Loose = await client.responses.stream({ model: 'gpt-5', input: 'Hi' }).finalResponse()
    return answer.output[0].content[0].text
  },
  anthropic(url) {
    const client = new Anthropic({ apiKey: 'none', baseURL: `${url}/anthropic` })
    return client.messages.stream({ model: 'claude-opus-4-5', max_tokens: 100, messages }).finalText()
  },
  async genai(url) {
    const httpOptions = { baseUrl: `${url}/gemini`, retryOptions: { attempts: 3 } }
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions })
    const chunks = await client.models.generateContentStream({ model: 'gemini-2.5-flash', contents: 'Hi' })
    let text = ''
    for await (const chunk of chunks) text += chunk.text ?? ''
    return text
  },
  'AI SDK': (url) =>
    streamText({ model: createOpenAI({ apiKey: 'none', baseURL: `${url}/openai/v1` }).chat('gpt-4o'), messages }).text,
}

describe('a break before anything of the answer was there reaches the client before any header', () => {
  const FAULTS = ['cut-after-bytes=0', 'cut-after-bytes=20', 'end-after-bytes=20'] as const

  const once = async (fault: (typeof FAULTS)[number]) => {
    const own = await running({ guard: { maxAttempts: 1 } })
    closers.push(own.close)
    own.contract.script({ ...reply, fault }, reply)
    return own
  }

  it.each(FAULTS)('%s: 502 with a code, streamed or not', async (fault) => {
    // Half a JSON text that ended cleanly is the client's to reject.
    for (const stream of fault.startsWith('cut') ? [true, false] : [true]) {
      const one = way('chat', stream)
      const response = await fetch((await once(fault)).url + one.path, request(one))
      expect([response.status, response.headers.get('suture-error')]).toEqual([502, 'upstream-failed'])
    }
  })

  it.each(FAULTS)('%s: the retries of the official clients work', async (fault) => {
    const answers = Object.values(RETRYING).map(async (ask) => {
      const own = await once(fault)
      return [await ask(own.url), own.contract.requests.length]
    })
    expect(await Promise.all(answers)).toEqual(answers.map(() => [TEXT, 2]))
  })
})

it('as web objects: the body is in error after all that came', async () => {
  const web = gateway({ upstreams: { openai: { url: `${server.contract.url}/openai`, provider: 'openai' } } })
  closers.push(web.close)
  const one = way('chat', true)
  for (const fault of ['cut-after-events=8', 'end-after-events=8'] as const) {
    server.contract.script({ ...reply, fault })
    const response = await web.fetch(new Request('http://localhost' + one.path, request(one)))
    const { text, broken } = await taken(response)
    const sent = Buffer.concat(server.contract.requests.at(-1)!.answer.writes).toString()
    expect([text, broken]).toEqual([sent, true])
  }
  server.contract.script({ ...reply, fault: 'cut-after-events=8' })
  const ask = (input: Loose, init: Loose) => web.fetch(new Request(input, init))
  const client = new OpenAI({ apiKey: 'none', baseURL: 'http://localhost/openai/v1', fetch: ask as typeof fetch })
  const asked = client.chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] })
  await expect(asked.finalContent()).rejects.toMatchObject({ cause: { message: 'terminated', code: 'ECONNRESET' } })
})

it('at the end of the grace half an answer does not read as a whole one', async () => {
  const { path, body } = way('chat', true)
  for (const version of ['1.1', '1.0']) {
    const own = await running()
    own.contract.script({ ...reply, fault: 'stall-after-events=8' })
    const ask = post(path, JSON.stringify(body)).toString('latin1').replace('HTTP/1.1', `HTTP/${version}`)
    let half = () => {}
    const begun = new Promise<void>((resolve) => {
      half = resolve
    })
    const asked = heldOpen(own.url, ask, (text) => {
      if (text.includes('"content"')) half()
      return false
    })
    await begun
    await own.listening.close(10)
    expect((await asked).ended).toBe('reset')
    await own.contract.close()
  }
})
