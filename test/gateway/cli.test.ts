/**
 * `suture serve` as a process: configured by file, environment and flag, asked by name of the host, and brought to its
 * end.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startContract } from '../../contract/index.ts'
import { DEFAULT_PORT } from '../../src/gateway/index.ts'
import { command } from './cli-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'suture-cli-'))
const contract = await startContract({ maxRequests: 200 })
const suture = await command()
afterAll(async () => {
  suture.close()
  await contract.close()
  rmSync(folder, { recursive: true, force: true })
})

function config(name: string, values: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof values === 'string' ? values : JSON.stringify(values))
  return path
}

const upstream = `openai=${contract.url}/openai`
const ask = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'gpt-4o', ...body }),
  })
const hi = { messages: [{ role: 'user', content: 'Hi' }] }

describe('settings', () => {
  it('from a file; the environment wins over it, and a flag over that', async () => {
    const path = config('all.json', { upstream: [upstream], store: 'memory:', maxBodyBytes: 100, log: 'json' })
    const file = await suture.serve(['--config', path])
    expect((await ask(file.url, { ...hi, user: 'x'.repeat(200) })).status).toBe(413)
    const env = await suture.serve([], { SUTURE_CONFIG: path, SUTURE_MAX_BODY_BYTES: '100000' })
    expect((await ask(env.url, { ...hi, user: 'x'.repeat(200) })).status).toBe(200)
    const flag = await suture.serve(['--max-body-bytes', '50'], {
      SUTURE_CONFIG: path,
      SUTURE_MAX_BODY_BYTES: '100000',
    })
    expect((await ask(flag.url, hi)).status).toBe(413)
    for (const { child, ended } of [file, env, flag]) {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
    const [line] = env
      .output()
      .split('\n')
      .filter((text) => text.startsWith('{'))
    expect(JSON.parse(line!)).toMatchObject({ event: 'request', status: 200, time: expect.any(String) })
  })

  it('a wrong one names its source', async () => {
    const odd = config('odd.json', { maxbodybytes: 1 })
    const wrong = config('wrong.json', { port: 'many' })
    const broken = config('broken.json', '{')
    for (const [args, env, words] of [
      [
        ['serve', '--config', odd],
        {},
        `maxbodybytes in ${odd}: there is no such setting. Did you mean "maxBodyBytes"?`,
      ],
      [['serve', '--config', wrong], {}, `port in ${wrong} needs a whole number`],
      [['serve', '--config', broken], {}, `${broken} cannot be read`],
      [['serve'], { SUTURE_DRAIN_TIMEOUT_MS: 'long' }, 'SUTURE_DRAIN_TIMEOUT_MS needs a whole number'],
      [['serve', '--port', '99999'], {}, '--port needs a whole number from 0 to 65535'],
      [['serve', '--host', '0.0.0.0', '--offline', '--store', 'none'], {}, 'keys first'],
      [['serve', '--prot', '1'], {}, 'Unknown option "--prot". Did you mean "--port"? `suture serve --help`'],
      [['serve'], { SUTURE_PROT: '1' }, 'Unknown variable SUTURE_PROT in the environment. Did you mean SUTURE_PORT?'],
      [['serve'], { SUTURE_KEY_OPENIA: 'x' }, 'Did you mean SUTURE_KEY_OPENAI?'],
      [['serve', '--store', 'sqlit:x.db'], {}, 'Did you mean "sqlite:"?'],
      [['serve', '--store', join(folder, 'x.db')], {}, `Did you mean "sqlite:${join(folder, 'x.db')}"?`],
      [['serve', '--store', `sqlite:${join(folder, 'no/such/x.db')}`], {}, 'does not exist. Create it first'],
      [['key', 'a', 'b'], {}, '`suture key` takes at most 1 argument'],
      [['key', '--nme'], {}, 'Unknown option "--nme"'],
      [['serve', 'loud'], {}, '`suture serve` takes no argument, but got "loud"'],
      [['demo'], {}, 'There is no command "demo"'],
      [
        ['serve', '--offline', '--store', 'none', '--default', 'unlisted'],
        {},
        'The default upstream "unlisted" is not configured',
      ],
      [
        ['serve', '--store', 'none', '--upstream', 'a=http://127.0.0.1:1,opnai'],
        {},
        'Unknown provider "opnai". Did you mean "openai"',
      ],
      [
        ['serve', '--offline', '--store', 'none', '--port', new URL(contract.url).port],
        {},
        'choose another port with --port',
      ],
    ] as [string[], Record<string, string>, string][]) {
      const { code, output } = await suture.run(args, env)
      expect([code, output]).toEqual([2, expect.stringContaining(words)])
    }
  })

  it('a mistyped command gets a suggestion', async () => {
    const { code, output } = await suture.run(['sreve'])
    expect([code, output]).toEqual([2, expect.stringContaining('Did you mean "suture serve"?')])
  })

  it('variables that only look like settings give a warning, except those of Kubernetes', async () => {
    const kubernetes = {
      SUTURE_PORT: `tcp://10.0.0.1:${DEFAULT_PORT}`,
      SUTURE_SERVICE_HOST: '10.0.0.1',
      [`SUTURE_PORT_${DEFAULT_PORT}_TCP`]: 'x',
    }
    const { output, child, ended } = await suture.serve(['--store', 'none', '--log', 'off'], {
      ...kubernetes,
      SUTURE_OF_ACME: '1',
    })
    child.kill('SIGTERM')
    expect([await ended, output()]).toEqual([0, expect.stringContaining('SUTURE_OF_ACME is no setting and is ignored')])
    expect(output()).not.toContain('SUTURE_SERVICE')
  })

  it('/ lists the paths', async () => {
    const { url } = await suture.serve(['--offline', '--store', 'memory:', '--log', 'off'])
    expect((await ask(url, hi)).status).toBe(200)
    const page = await fetch(url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/suture/openapi.json')])
    const json = await fetch(url, { headers: { accept: 'application/json' } })
    expect(await json.json()).toMatchObject({ name: 'suture', sessions: '/suture/v1/sessions' })
  })
})

it('SIGTERM: a running stream ends, no new request is accepted, and the process exits', async () => {
  const { url, child, ended, output } = await suture.serve(['--store', 'memory:', '--upstream', upstream])
  contract.script({ text: 'Words that take their time. '.repeat(20), chunkBytes: 10, paceMs: 15 })
  const response = await ask(url, { ...hi, stream: true }, { 'suture-session': 'last' })
  const reader = response.body!.getReader()
  await reader.read()
  child.kill('SIGTERM')
  while (
    await fetch(`${url}/suture/health`).then(
      () => true,
      () => false,
    )
  );
  let text = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += Buffer.from(next.value)
  expect(text).toMatch(/\[DONE\]\n\n$/)
  expect(await ended).toBe(0)
  expect(output()).toContain('"session":"last"')
})
