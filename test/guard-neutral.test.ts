/**
 * `suture/fetch` needs nothing but web APIs: bundled for no platform, it runs in a realm that has nothing else.
 */
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { taken } from '../contract/server/testing/ways.ts'

const WEB = {
  AbortController,
  AbortSignal,
  Blob,
  DecompressionStream,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  TransformStream,
  URL,
  atob,
  clearInterval,
  clearTimeout,
  performance,
  setInterval,
  setTimeout,
}

it('the guard repairs, recovers and breaks off a broken stream without Node', async () => {
  const built = await build({
    entryPoints: [join(import.meta.dirname, '../src/guard/index.ts')],
    bundle: true,
    platform: 'neutral',
    format: 'iife',
    globalName: 'suture',
    write: false,
    metafile: true,
  })
  expect(Object.keys(built.metafile.inputs).filter((path) => path.includes('node_modules'))).toEqual([])
  // Objects of this realm: `instanceof` looks at the classes that the bundle has.
  const realm = createContext({ ...WEB, Uint8Array, ArrayBuffer, Error, JSON, console })
  runInContext(built.outputFiles[0]!.text, realm)
  expect(runInContext('typeof process + typeof Buffer + typeof require', realm)).toBe('undefinedundefinedundefined')
  const { guard } = realm['suture'] as typeof import('../src/guard/index.ts')
  const sent: string[] = []
  const word = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'half' } }] })}\n\n`
  const ask = guard({
    wait: async () => {},
    fetch: async (_input, init) => {
      sent.push(await new Response(init!.body).text())
      if (sent.length === 1) return new Response('{"error":{"message":"busy"}}', { status: 503 })
      return new Response(word, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const tool_calls = [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }]
  const messages = [
    { role: 'user', content: 'weather?' },
    { role: 'assistant', tool_calls },
    { role: 'user', content: 'still there?' },
  ]
  const body = JSON.stringify({ model: 'gpt-4.1', stream: true, messages })
  const response = await ask('https://api.openai.com/v1/chat/completions', { method: 'POST', body })
  expect(response.headers.get('suture-findings')).toBe('tool-result-missing')
  expect(response.headers.get('suture-recovery')).toBe('wait')
  expect(sent.map((one) => JSON.parse(one).messages.length)).toEqual([4, 4])
  expect(await taken(response)).toMatchObject({ text: word, broken: true })
})
