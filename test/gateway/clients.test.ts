/**
 * Real clients through a running gateway to the strict provider: streaming and not, several rounds of tools, valid and
 * broken.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { FINAL } from '../../contract/server/testing/tools.ts'
import { skippable } from '../skip-reasons.ts'
import { type Client, type Loose, sdks } from './clients.ts'
import { frameworks, hasCurl } from './frameworks.ts'
import { running } from './start-gateway.ts'

const gateway = await running()
afterAll(() => gateway.close())

const clients = Object.entries({ ...sdks, ...frameworks })
const ways = clients.flatMap(([name, client]) => [false, true].map((stream) => ({ name, client, stream })))

describe.each(ways)('$name, streamed: $stream', ({ name, client, stream }) => {
  const absent = name === 'curl' && !hasCurl
  const where = { url: gateway.url, headers: {}, stream }

  it.skipIf(absent)(
    skippable('three rounds with tools, every request valid and byte for byte as it came', absent && 'no curl'),
    async () => {
      const seen = gateway.contract.requests.length
      const messages = await conversation(client, (list) => client.ask(where, list))
      expect(plain(messages.text)).toBe(FINAL)
      for (const { verdict, bytes } of gateway.contract.requests.slice(seen)) {
        expect(verdict).toMatchObject({ accepted: true })
        expect(bytes.length).toBeGreaterThan(0)
      }
      for (const line of (await gateway.logged()).slice(-3)) {
        expect(line).toMatchObject({ status: 200 })
        expect(line['edits']).toBeUndefined()
      }
    },
  )

  it.skipIf(absent)(skippable('a broken history is repaired', absent && 'no curl'), async () => {
    const list = [client.user('What is it like today?'), client.half(), client.user('Are you still there?')]
    const answer = await client.ask(where, list)
    expect(answer.calls.length + answer.text.length).toBeGreaterThan(0)
    expect((await gateway.logged()).at(-1)).toMatchObject({ status: 200, edits: expect.any(Number) })
  })
})

async function conversation(client: Client, ask: (messages: readonly Loose[]) => ReturnType<Client['ask']>) {
  const messages: Loose[] = [client.user('What is it like today?')]
  for (let round = 0; ; round++) {
    const answer = await ask(messages)
    messages.push(...answer.messages)
    if (answer.calls.length === 0 || round > 3) return { messages, text: answer.text }
    for (const call of answer.calls) messages.push(client.result(call))
  }
}

/** Gemini's results are objects. */
function plain(text: string): string {
  return text.replaceAll(/\{"result":"([^"]*)"\}/g, '$1')
}
