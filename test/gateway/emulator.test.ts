/**
 * Who answers a request through `suture serve`: the provider with the caller's own credential by default, and the
 * emulator only if it was chosen, with a mark on everything that it answers. No request leaves the machine: connections
 * to providers end at a server of the test.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { knownUpstreams } from '../../src/gateway/index.ts'
import { command } from './cli-process.ts'
import { inFrontOf, running } from './start-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-emulator-'))
const suture = await command()
let received: IncomingHttpHeaders[] = []
beforeEach(() => {
  received = []
})
const provider = createServer((request, response) => {
  received.push(request.headers)
  response.setHeader('content-type', 'application/json').end('{"from":"the provider"}')
})
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  suture.close()
  provider.closeAllConnections()
  provider.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Connects every TLS connection of a process to the server above, without TLS. */
const preload = join(folder, 'loopback.cjs')
writeFileSync(
  preload,
  `const { connect } = require('node:net')
require('node:tls').connect = (options) => {
  const socket = connect(${(provider.address() as AddressInfo).port}, '127.0.0.1', () => socket.emit('secureConnect'))
  return socket
}`,
)

const serve = (flags: readonly string[], env: Record<string, string> = {}) =>
  suture.serve(['--store', 'none', ...flags], { NODE_OPTIONS: `--require ${preload}`, ...env })

const send = (url: string, path: string, headers: Record<string, string> = {}, body: object = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }], ...body }),
  })

describe('without --offline a provider answers', () => {
  it.each([
    ['no key', {}],
    ['an empty key', { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '' }],
    ['the key of another provider', { OPENAI_API_KEY: 'of-the-gateway' }],
  ])('%s in the environment: the own credential of the caller is forwarded', async (_name, env) => {
    const { url, output } = await serve([], env)
    const response = await send(url, '/anthropic/v1/messages', { 'x-api-key': 'of-the-caller' })
    expect(await response.json()).toEqual({ from: 'the provider' })
    expect(response.headers.get('suture-emulator')).toBeNull()
    expect(received).toMatchObject([{ host: 'api.anthropic.com', 'x-api-key': 'of-the-caller' }])
    expect(received[0]).not.toHaveProperty('authorization')
    expect(output()).toContain("/anthropic → https://api.anthropic.com   the caller's own key")
  })

  it('a key of the environment is sent for callers without a credential, or with an empty one', async () => {
    const { url } = await serve([], { OPENAI_API_KEY: 'of-the-gateway' })
    await send(url, '/openai/v1/chat/completions')
    await send(url, '/openai/v1/chat/completions', { authorization: 'Bearer ' })
    await send(url, '/openai/v1/chat/completions', { authorization: 'Bearer of-the-caller' })
    const sent = received.map(({ authorization }) => authorization)
    expect(sent).toEqual(['Bearer of-the-gateway', 'Bearer of-the-gateway', 'Bearer of-the-caller'])
  })

  it('/suture/ready names upstreams for which it has no key, to callers only', async () => {
    const ready = async (url: string, headers = {}) => (await fetch(`${url}/suture/ready`, { headers })).json()
    const own = Object.keys(knownUpstreams)
    const withoutKey = own.filter((name) => name !== 'openai')
    const open = await serve([], { OPENAI_API_KEY: 'k' })
    expect(await ready(open.url)).toEqual({ status: 'ready', upstreams: own, withoutKey, store: null })
    const { output } = await suture.run(['key', 'alice'])
    const [, key, hash] = /^key\s+(\S+)\nconfigure\s+--key (\S+)/.exec(output)!
    const keyed = await serve(['--key', hash!], { OPENAI_API_KEY: 'k' })
    expect(await ready(keyed.url)).toEqual({ status: 'ready', store: null })
    expect(await ready(keyed.url, { 'suture-key': key })).toMatchObject({ upstreams: own, withoutKey })
  })

  it('an upstream of your own, or one that needs no key, is not named', async () => {
    const { url } = await serve(['-u', 'local=http://127.0.0.1:1,vllm', '-u', 'x=http://127.0.0.1:1', '-u', 'openai'])
    const ready = await (await fetch(`${url}/suture/ready`)).json()
    expect(ready).toMatchObject({ upstreams: ['local', 'x', 'openai'], withoutKey: ['openai'] })
  })
})

describe('--offline: the emulator answers', () => {
  it.each([
    ['--offline', ['--offline']],
    ['--demo', ['--demo', '--log', 'json']],
  ])('%s, although a key is set', async (_name, flags) => {
    const { url, output } = await serve(flags, { OPENAI_API_KEY: 'k' })
    const response = await send(url, '/openai/v1/chat/completions', { authorization: 'Bearer own' })
    expect([response.status, response.headers.get('suture-emulator')]).toEqual([200, 'true'])
    expect(await (await fetch(`${url}/suture/ready`)).json()).toMatchObject({ emulator: true, withoutKey: [] })
    expect(received).toEqual([])
    expect(output()).toContain('emulator')
  })

  it('every provider with its own address is emulated', async () => {
    const { url } = await serve(['--offline'])
    const { upstreams } = (await (await fetch(`${url}/suture/ready`)).json()) as { upstreams: string[] }
    expect(Object.keys(knownUpstreams).filter((name) => !upstreams.includes(name))).toEqual([])
  })
})

it('every answer of an emulator has the header, and its log line and metrics the mark', async () => {
  const gateway = await running()
  const upstreams = { openai: { url: `${gateway.contract.url}/openai`, emulator: true } }
  const emulated = await running({ upstreams })
  const path = '/openai/v1/chat/completions'
  const answers = [
    await send(emulated.url, path),
    await send(emulated.url, path, {}, { stream: true }),
    await send(emulated.url, path, { suture: 'off' }, { messages: [{ role: 'tool', tool_call_id: 'x', content: '' }] }),
    await send(emulated.url, path, {}, { messages: 1 }),
    await fetch(`${emulated.url}/openai/v1/models`),
  ]
  for (const answer of answers) await answer.text()
  expect(answers.map(({ headers }) => headers.get('suture-emulator'))).toEqual(answers.map(() => 'true'))
  const lines = await emulated.logged()
  expect(lines.map((line) => line['emulator'])).toEqual(answers.map(() => true))
  const labelled = emulated
    .metrics()
    .split('\n')
    .filter((line) => line.includes('upstream="openai"'))
  expect(labelled.length).toBeGreaterThan(3)
  expect(labelled.filter((line) => !line.includes('emulator="true"'))).toEqual([])

  const plain = await send(gateway.url, path)
  expect(plain.headers.get('suture-emulator')).toBeNull()
  expect(gateway.metrics()).not.toContain('emulator')
  await emulated.close()
  await gateway.close()
})

it('a provider cannot pretend to be the emulator, and a blank key in code is not set', async () => {
  const sent: IncomingHttpHeaders[] = []
  const gateway = await inFrontOf((request, response) => {
    sent.push(request.headers)
    response.setHeader('suture-emulator', 'true').end()
  })
  expect((await send(gateway.url, '/own/v1/x')).headers.get('suture-emulator')).toBeNull()
  await gateway.close()
  const { port } = provider.address() as AddressInfo
  const blank = await running({ upstreams: { openai: { url: `http://127.0.0.1:${port}`, apiKey: ' ' } } })
  await send(blank.url, '/openai/v1/chat/completions')
  expect(received.at(-1)).not.toHaveProperty('authorization')
  expect(await (await fetch(`${blank.url}/suture/ready`)).json()).toMatchObject({ withoutKey: ['openai'] })
  await blank.close()
})
