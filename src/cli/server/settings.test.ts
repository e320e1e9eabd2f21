import { expect, it } from 'vitest'
import { settled } from './settings.ts'
import { tableOf } from './upstreams.ts'

it('flags win over the environment, that over the file', () => {
  const file = { path: 'suture.json', values: { port: 1, maxBodyBytes: 10, upstream: ['a=http://x'] } }
  const values = settled({ port: '3' }, { SUTURE_PORT: '2', SUTURE_HOST: '::1', SUTURE_DERIVE: 'yes' }, file)
  expect(values).toEqual({ port: 3, host: '::1', derive: true, 'max-body-bytes': 10, upstream: ['a=http://x'] })
})

it.each([
  [{ port: 'x' }, {}, {}, /^--port: "x" is not a port/],
  [{}, { SUTURE_PORT: '70000' }, {}, /^SUTURE_PORT: "70000" is not a port/],
  [{}, {}, { maxBodyBytes: -1 }, /^maxBodyBytes in f\.json: -1 is not a number/],
  [{}, {}, { prot: 1 }, /^prot in f\.json: there is no such setting/],
  [{ 'guard-level': 'sideways' }, {}, {}, /^--guard-level: "sideways" is not one of off, lint, repair, recover/],
  [{}, { SUTURE_DERIVE: 'maybe' }, {}, /^SUTURE_DERIVE: "maybe" is not true or false/],
])('errors say where: %j %j %j', (flags, env, values, words) => {
  expect(() => settled(flags, env, { path: 'f.json', values })).toThrow(words)
})

it('upstreams are an allowlist: what is named, else what a key is set for, else all that were asked for', () => {
  const names = (...args: Parameters<typeof tableOf>) => Object.keys(tableOf(...args) ?? {})
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'a' }
  expect(names({}, env)).toEqual(['openai', 'anthropic'])
  expect(names({ upstream: ['local=http://x', 'other=http://y'] }, env)).toEqual(['local', 'other'])
  expect(names({ upstream: ['local=http://x', 'openai'] }, env)).toEqual(['local', 'openai'])
  expect(tableOf({ upstream: ['openai'] }, env)?.['openai']).toMatchObject({
    url: 'https://api.openai.com',
    apiKey: 'k',
  })
  expect(names({ online: true }, env).length).toBeGreaterThan(10)
  expect(names({ online: true, upstream: ['local=http://x'] }, {}).length).toBeGreaterThan(11)
  expect(() => tableOf({ upstream: ['constructor'] }, {})).toThrow(/not an upstream/)
})

it('upstreams: what is configured, what a key is set for, else none', () => {
  expect(tableOf({}, {})).toBeUndefined()
  expect(tableOf({}, { OPENAI_API_KEY: 'k' })?.['openai']).toEqual({
    url: 'https://api.openai.com',
    provider: 'openai',
    apiKey: 'k',
  })
  expect(tableOf({ offline: true }, { OPENAI_API_KEY: 'k' })).toBeUndefined()
  const table = tableOf({ upstream: ['local=http://127.0.0.1:8000/v1,vllm'] }, { SUTURE_KEY_LOCAL: 'k' })
  expect(table?.['local']).toEqual({ url: 'http://127.0.0.1:8000/v1', provider: 'vllm', apiKey: 'k' })
  for (const odd of ['local', 'local=ftp://x', '../x=http://x', 'suture=http://x', 'a=http://'])
    expect(() => tableOf({ upstream: [odd] }, {})).toThrow(/upstream|suture/)
})
