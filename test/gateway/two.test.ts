/**
 * Two gateways in processes of their own on one PostgreSQL: one is killed under load, the other serves on, and no session has lost what was acknowledged.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { judge, type RunningContract, startContract } from '../../contract/index.ts'
import { openStore } from '../../src/session-door.ts'
import { type Postgres, startPostgres } from '../postgres.ts'

const postgres = await startPostgres()
const contract: RunningContract = await startContract({ keep: 5_000 })
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(cli, { force: true })
  await contract.close()
  if (typeof postgres !== 'string') await postgres.stop()
})

/** The command line as one file, from the sources as they are. */
const cli = join(import.meta.dirname, `../../dist/test-gateway/cli-${process.pid}.mjs`)
if (typeof postgres !== 'string')
  await build({
    entryPoints: [join(import.meta.dirname, '../../src/cli/main.ts')],
    outfile: cli,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })

/** A gateway in a process of its own; resolves with its address. */
function start(store: string): Promise<{ child: ChildProcess; url: string }> {
  const flags = [
    'serve',
    '--port',
    '0',
    '--log',
    'off',
    '--store',
    store,
    '--upstream',
    `openai=${contract.url}/openai`,
  ]
  const child = spawn(process.execPath, [cli, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    child.stdout!.on('data', (text) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text)) ?? []
      if (url) resolve({ child, url })
    })
    child.once('exit', () => reject(new Error('The gateway ended.')))
  })
}

describe.skipIf(typeof postgres === 'string')('two gateways', () => {
  it('one is killed under load: the other serves on, nothing acknowledged is lost', async () => {
    const { url } = postgres as Postgres
    const [one, two] = await Promise.all([start(url), start(url)])
    const acknowledged = new Map<string, string[]>()
    let killed = false
    const client = async (n: number) => {
      const id = `chat-${n}`
      const said: string[] = []
      acknowledged.set(id, said)
      for (let turn = 0; turn < 6; turn++) {
        const prompt = `client ${n}, turn ${turn}`
        if (n === 0 && turn === 2) {
          killed = true
          one.child.kill('SIGKILL')
        }
        // Each asks whichever is there, in turns; who gets no whole answer asks the other.
        for (let attempt = 0; ; attempt++) {
          const gate = killed || (n + turn + attempt) % 2 === 0 ? two : one
          const answer = await ask(gate.url, id, prompt, (n + turn) % 2 === 0).catch(() => undefined)
          if (answer !== undefined) {
            said.push(prompt, answer)
            break
          }
          if (attempt > 20) throw new Error('Nobody answers.')
        }
      }
    }
    await Promise.all(Array.from({ length: 12 }, (_one, n) => client(n)))
    const store = await openStore(url)
    for (const name of await store.list('', 1000)) {
      const id = name.slice(name.indexOf('/') + 1)
      const response = await fetch(`${two.url}/suture/v1/sessions/${id}/history`)
      const { messages } = (await response.json()) as { messages: { content: string }[] }
      expect(
        judge({ provider: 'openai', endpoint: 'chat', model: 'gpt-4o', body: { model: 'gpt-4o', messages } }).accepted,
      ).toBe(true)
      const contents = messages.map((one) => one.content)
      for (const text of acknowledged.get(id) ?? []) expect(contents, id).toContain(text)
      const verified = (await (await fetch(`${two.url}/suture/v1/sessions/${id}/verify`)).json()) as object
      expect(verified).toMatchObject({ sound: true })
    }
    await store.close()
  })
})

async function ask(url: string, id: string, content: string, stream: boolean): Promise<string> {
  const response = await fetch(`${url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'suture-session': id, 'suture-mode': 'append' },
    body: JSON.stringify({ model: 'gpt-4o', stream, messages: [{ role: 'user', content }] }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  if (!stream) return JSON.parse(text).choices[0].message.content
  if (!text.includes('[DONE]')) throw new Error('No end.')
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? '')
    .join('')
}
