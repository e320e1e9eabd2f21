import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { knownUpstreams } from '../../gateway/index.ts'
import { parseCommand } from '../arguments.ts'
import { serve } from '../commands/serve.ts'
import { settingsOf } from './settings.ts'
import { tableOf } from './upstreams.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-settings-'))
const path = join(folder, 'f.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function settled(flags: readonly string[], env: Record<string, string>, file: object) {
  writeFileSync(path, JSON.stringify(file))
  const given = [...flags, '--config', path]
  return parseCommand(given, serve.spec, settingsOf(parseCommand(given, serve.spec), env))
}

it('flags win over the environment, that over the file', () => {
  const file = { port: 1, maxBodyBytes: 10, upstream: ['a=http://x,vllm', 'b=http://y'], noCompact: false }
  const env = { SUTURE_PORT: '2', SUTURE_HOST: '::1', SUTURE_DERIVE: 'yes', SUTURE_KEY: 'a=1 b=2' }
  const args = settled(['--port', '3'], env, file)
  expect([args.number('port'), args.text('host'), args.number('max-body-bytes')]).toEqual([3, '::1', 10])
  expect([args.flag('derive'), args.flag('no-compact'), args.flag('online')]).toEqual([true, false, false])
  expect(args.values('upstream')).toEqual(['a=http://x,vllm', 'b=http://y'])
  expect(args.values('key')).toEqual(['a=1', 'b=2'])
})

it('a value that is not used is not checked', () => {
  expect(settled(['--port', '3'], { SUTURE_PORT: 'x' }, { port: [] }).number('port')).toBe(3)
})

it.each([
  [['--port', 'x'], {}, {}, /^--port needs a whole number from 0 to 65535, but got "x"/],
  [['--port', '65536'], {}, {}, /^--port needs a whole number from 0 to 65535/],
  [['--max-body-bytes', '99999999999999999999'], {}, {}, /^--max-body-bytes needs a whole number/],
  [[], { SUTURE_PORT: '70000' }, {}, /^SUTURE_PORT needs a whole number from 0 to 65535, but got "70000"/],
  [[], {}, { maxBodyBytes: -1 }, /^maxBodyBytes in \S*f\.json needs a whole number, but got "-1"/],
  [[], {}, { port: [1] }, /^port in \S*f\.json must be a text, a number/],
  [[], {}, { port: ['1'] }, /^port in \S*f\.json must be one value/],
  [[], {}, { host: true }, /^host in \S*f\.json must be a text/],
  [[], {}, { prot: 1 }, /^prot in \S*f\.json: there is no such setting\. Did you mean "port"/],
  [
    ['--guard-level', 'sideways'],
    {},
    {},
    /^--guard-level must be one of off, lint, repair, recover, but got "sideways"/,
  ],
  [['--guard-level', 'lint,repair'], {}, {}, /^--guard-level must be one of .* but got "lint,repair"/],
  [[], { SUTURE_DERIVE: 'maybe' }, {}, /^SUTURE_DERIVE must be true or false, but got "maybe"/],
])('errors name the place: %j %j %j', (flags, env, values, words) => {
  expect(() => settled(flags, env as Record<string, string>, values)).toThrow(words)
})

const names = (...args: Parameters<typeof tableOf>) => Object.keys(tableOf(...args))
const own = Object.keys(knownUpstreams)

it('upstreams are an allowlist: those that are named, else the own addresses of the providers', () => {
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'a' }
  expect(names([], false, {})).toEqual(own)
  expect(names([], false, env)).toEqual(own)
  expect(names(['local=http://x', 'other=http://y'], false, env)).toEqual(['local', 'other'])
  expect(names(['local=http://x', 'openai'], false, env)).toEqual(['local', 'openai'])
  expect(names(['local=http://x'], true, {})).toEqual([...own, 'local'])
})

it.each(['local', 'local=ftp://x', '../x=http://x', 'suture=http://x', 'a=http://', 'constructor'])(
  '%s is not an upstream',
  (odd) => expect(() => tableOf([odd], false, {})).toThrow(/upstream|suture/),
)

it('a key of the environment belongs to its provider only; a blank variable is not set', () => {
  const keysIn = (env: Record<string, string>) =>
    Object.entries(tableOf([], false, env)).flatMap(([name, { apiKey }]) =>
      apiKey === undefined ? [] : [[name, apiKey]],
    )
  expect(keysIn({})).toEqual([])
  expect(keysIn({ OPENAI_API_KEY: 'k' })).toEqual([['openai', 'k']])
  expect(keysIn({ OPENAI_API_KEY: '', ANTHROPIC_API_KEY: ' ', GEMINI_API_KEY: '\n' })).toEqual([])
  expect(keysIn({ SUTURE_KEY_OPENAI: '', OPENAI_API_KEY: 'k\r' })).toEqual([['openai', 'k']])
  expect(keysIn({ GEMINI_API_KEY: '', GOOGLE_API_KEY: 'g' })).toEqual([['gemini', 'g']])
  const { local } = tableOf(['local=http://127.0.0.1:8000/v1,vllm'], false, { SUTURE_KEY_LOCAL: 'k' })
  expect(local).toEqual({ url: 'http://127.0.0.1:8000/v1', provider: 'vllm', apiKey: 'k' })
})

it('the region of Bedrock: an empty variable is not set', () => {
  const url = (env: Record<string, string>) => tableOf(['bedrock'], false, env)['bedrock']!.url
  expect(url({ AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-west-1' })).toContain('bedrock-runtime.eu-west-1.')
  expect(url({})).toContain('bedrock-runtime.us-east-1.')
})
