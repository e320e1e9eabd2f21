/**
 * Two gateways in processes of their own on one PostgreSQL: one is killed under load, the other serves on, and no
 * session has lost what was acknowledged.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { judge, type RunningContract, startContract } from '../../contract/index.ts'
import { openStore } from '../../src/session.ts'
import { type Postgres, startPostgres } from '../postgres.ts'
import { skippable } from '../skip-reasons.ts'
import { command, type Started } from './cli-process.ts'

const postgres = await startPostgres()
const contract: RunningContract = await startContract({ maxRequests: 5_000 })
const suture = await command()
afterAll(async () => {
  suture.close()
  await contract.close()
  if (typeof postgres !== 'string') await postgres.stop()
})

const start = (store: string): Promise<Started> =>
  suture.serve(['--log', 'off', '--store', store, '--upstream', `openai=${contract.url}/openai`])

interface Message {
  readonly role: string
  readonly content: string
}

describe.skipIf(typeof postgres === 'string')(
  skippable('two gateways', typeof postgres === 'string' && postgres),
  () => {
    it.each(['append', 'record'])(
      '%s: one is killed under load, the other serves on, nothing acknowledged is lost',
      async (mode) => {
        const { url } = postgres as Postgres
        const [one, two] = await Promise.all([start(url), start(url)])
        const acknowledged = new Map<string, Message[]>()
        let killed = false
        const client = async (n: number) => {
          const id = `${mode}-${n}`
          const messages: Message[] = []
          acknowledged.set(id, messages)
          for (let turn = 0; turn < 6; turn++) {
            const prompt = { role: 'user', content: `client ${n}, turn ${turn}` }
            if (n === 0 && turn === 2) {
              killed = true
              one.child.kill('SIGKILL')
            }
            // Each client alternates between the gateways; without a complete answer it asks the other one.
            for (let attempt = 0; ; attempt++) {
              const gateway = killed || (n + turn + attempt) % 2 === 0 ? two : one
              const list = mode === 'append' ? [prompt] : [...messages, prompt]
              const answer = await ask(gateway.url, id, mode, list, (n + turn) % 2 === 0).catch(() => undefined)
              if (answer !== undefined) {
                messages.push(prompt, { role: 'assistant', content: answer })
                break
              }
              if (attempt > 20) throw new Error('No gateway answers.')
            }
          }
        }
        await Promise.all(Array.from({ length: 12 }, (_one, n) => client(n)))
        await checked(url, two.url, acknowledged)
      },
    )
  },
)

/** Every session is valid and verifies; what was acknowledged to a client is in its session or in a branch of it. */
async function checked(database: string, gateway: string, acknowledged: ReadonlyMap<string, readonly Message[]>) {
  const store = await openStore(database)
  const all = new Map<string, string[]>()
  for (const name of await store.list('', 1000)) {
    const id = name.slice(name.indexOf('/') + 1)
    const response = await fetch(`${gateway}/suture/v1/sessions/${id}/history`)
    const { messages } = (await response.json()) as { messages: Message[] }
    const body = { model: 'gpt-4o', messages }
    // One that a killed gateway only began has nothing in it.
    if (messages.length > 0)
      expect(judge({ provider: 'openai', endpoint: 'chat', model: 'gpt-4o', body }), id).toMatchObject({
        accepted: true,
      })
    const [first = id] = id.split('~')
    all.set(first, [...(all.get(first) ?? []), ...messages.map(({ content }) => content)])
    const verified = (await (await fetch(`${gateway}/suture/v1/sessions/${id}/verify`)).json()) as object
    expect(verified).toMatchObject({ valid: true })
  }
  for (const [id, messages] of acknowledged)
    for (const { content } of messages) expect(all.get(id), id).toContain(content)
  await store.close()
}

async function ask(
  url: string,
  id: string,
  mode: string,
  messages: readonly Message[],
  stream: boolean,
): Promise<string> {
  const response = await fetch(`${url}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'suture-session': id, 'suture-mode': mode },
    body: JSON.stringify({ model: 'gpt-4o', stream, messages }),
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
