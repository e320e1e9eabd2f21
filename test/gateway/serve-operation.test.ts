/** `suture serve` in operation: the check before a start, probes and the drain in its log, its version as a metric. */

import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Command, command } from './cli-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-operation-'))
const requests: (readonly [string | undefined, string | undefined])[] = []
const upstream = createServer((request, response) => {
  requests.push([request.method, request.headers.authorization])
  response.writeHead(404).end()
})
let suture: Command
let address: string
beforeAll(async () => {
  suture = await command()
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
})
afterAll(() => {
  suture.close()
  upstream.close()
  rmSync(folder, { recursive: true, force: true })
})

const check = (flags: readonly string[], env: Record<string, string> = {}) =>
  suture.run(['serve', '--check', '-u', `own=${address}`, ...flags], env)

describe('--check', () => {
  it('says for each step that it works, sends no key, and creates no database', async () => {
    const path = join(folder, 'new.db')
    const { code, output } = await check(['--store', `sqlite:${path}`], { SUTURE_KEY_OWN: 'sk-secret' })
    expect(output).toContain('ok      configuration:')
    expect(output).toContain(`ok      store: sqlite:${path}`)
    expect(output).toContain(`ok      upstream own: ${address} answers with 404, key from the environment`)
    expect(code).toBe(0)
    expect(output).not.toContain('sk-secret')
    expect(requests).toEqual([['HEAD', undefined]])
    expect(existsSync(path)).toBe(false)
  })

  it('does not migrate a database: a gateway of an older version may use it', async () => {
    const path = join(folder, 'empty.db')
    writeFileSync(path, '')
    expect((await check(['--store', `sqlite:${path}`])).code).toBe(0)
    expect(statSync(path).size).toBe(0)
  })

  it('works while a gateway holds the port', async () => {
    const running = await suture.serve(['-u', `own=${address}`, '--store', 'memory:'])
    const { code } = await check(['--port', new URL(running.url).port, '--store', 'memory:'])
    expect(code).toBe(0)
    running.child.kill('SIGINT')
    expect(await running.ended).toBe(0)
  })

  it.each<[string, () => readonly string[], string]>([
    [
      'an upstream that does not answer',
      () => ['-u', 'gone=http://127.0.0.1:1', '--store', 'memory:'],
      'upstream gone',
    ],
    ['an address beyond loopback without keys', () => ['--host', '0.0.0.0', '--store', 'memory:'], 'configuration'],
    ['a default upstream that is not configured', () => ['--default', 'other', '--store', 'memory:'], 'configuration'],
    ['a database server that is not there', () => ['--store', 'postgres://u:secret@127.0.0.1:1/x'], 'store'],
    ['a folder that does not exist', () => ['--store', `sqlite:${join(folder, 'none/x.db')}`], 'store'],
    [
      'a file that is no database',
      () => {
        writeFileSync(
          join(folder, 'text.db'),
          'no database, but a text that is long enough to have a header. '.repeat(9),
        )
        return ['--store', `sqlite:${join(folder, 'text.db')}`]
      },
      'store',
    ],
  ])('fails with 1 and the step: %s', async (_, flags, step) => {
    const { code, output } = await check(flags())
    expect(output).toContain(`failed  ${step}:`)
    expect(output.match(/^failed/gm)).toHaveLength(1)
    expect(output).not.toContain('secret')
    // One line, without a stack.
    expect(output).not.toMatch(/^ {4}at /m)
    expect(code).toBe(1)
  })

  it('wrong use is 2, as everywhere', async () => {
    expect((await check(['--key', 'no-hash'])).code).toBe(2)
    expect((await check(['--port', 'many'])).code).toBe(2)
  })
})

describe('the log', () => {
  it('has no line for probes that are answered, and one for the start and the end of the drain', async () => {
    const running = await suture.serve(['-u', `own=${address}`, '--store', 'memory:', '--drain-timeout-ms', '900'])
    for (const path of ['health', 'ready', 'metrics', 'openapi.json', 'nothing'])
      await fetch(`${running.url}/suture/${path}`, { headers: { connection: 'close' } })
    // The path of an upstream is no probe, whatever its name.
    await fetch(`${running.url}/own/suture/health`, { headers: { connection: 'close' } })
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    const lines = running
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.filter(({ event }) => event === 'request').map(({ path, upstream }) => [upstream, path])).toEqual([
      ['-', '/suture/openapi.json'],
      ['-', '/suture/…'],
      ['own', '/suture/health'],
    ])
    expect(lines.slice(-2)).toMatchObject([
      { level: 'info', event: 'draining', signal: 'SIGTERM', delayMs: 0, timeoutMs: 900 },
      { level: 'info', event: 'stopped' },
    ])
  })

  it('the version is a metric', async () => {
    const running = await suture.serve(['-u', `own=${address}`, '--store', 'memory:'])
    const text = await (await fetch(`${running.url}/suture/metrics`)).text()
    expect(text).toMatch(/^suture_build_info\{version="\d+\.\d+\.\d+[^"]*"\} 1$/m)
    running.child.kill('SIGINT')
    expect(await running.ended).toBe(0)
  })
})
