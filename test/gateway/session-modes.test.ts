/**
 * Real clients in a recorded and in a kept session: what the log has afterwards is the conversation, and the provider
 * never saw a broken one.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { FINAL } from '../../contract/server/testing/tools.ts'
import { memoryStore } from '../../src/session.ts'
import { skippable } from '../skip-reasons.ts'
import { type Loose, sdks } from './clients.ts'
import { frameworks, hasCurl } from './frameworks.ts'
import { running } from './start-gateway.ts'

const gateway = await running({ store: memoryStore() })
afterAll(() => gateway.close())

const clients = Object.entries({ ...sdks, ...frameworks })
const ways = clients.flatMap(([name, client]) => [false, true].map((stream) => ({ name, client, stream })))
let count = 0

describe.each(ways)('$name, streamed: $stream', ({ name, client, stream }) => {
  const absent = name === 'curl' && !hasCurl
  it.skipIf(absent).each(['record', 'append'])(
    skippable('%s: two turns with tools', absent && 'no curl'),
    async (mode) => {
      const id = `chat-${++count}`
      const where = { url: gateway.url, headers: { 'suture-session': id, 'suture-mode': mode }, stream }
      const seen = gateway.contract.requests.length
      const history: Loose[] = []
      let fresh: Loose[] = []
      const say = (...messages: Loose[]) => {
        history.push(...messages)
        fresh.push(...messages)
      }
      const texts: string[] = []
      for (const prompt of ['What is it like today?', 'And now?']) {
        say(client.user(prompt))
        for (let round = 0; round < 4; round++) {
          const answer = await client.ask(where, mode === 'record' ? history : fresh)
          fresh = []
          history.push(...answer.messages)
          if (answer.calls.length === 0) {
            texts.push(answer.text.replaceAll(/\{"result":"([^"]*)"\}/g, '$1'))
            break
          }
          say(...answer.calls.map((call) => client.result(call)))
        }
      }
      expect(texts).toEqual([FINAL, FINAL])
      await gateway.logged()
      const asked = gateway.contract.requests.slice(seen)
      expect(asked.map(({ verdict }) => verdict?.accepted)).toEqual(asked.map(() => true))
      expect(asked.length).toBe(6)
      const ids = await gateway.ids()
      expect(ids.filter((one) => one.startsWith(id + '~'))).toEqual([])
      expect(ids).toContain(id)
    },
  )

  it.skipIf(absent).each(['record', 'append'])(
    skippable('%s: a broken history is repaired, and goes on', absent && 'no curl'),
    async (mode) => {
      const id = `broken-${++count}`
      const where = { url: gateway.url, headers: { 'suture-session': id, 'suture-mode': mode }, stream }
      const seen = gateway.contract.requests.length
      const first = [client.user('What is it like today?'), client.half(), client.user('Are you still there?')]
      const answer = await client.ask(where, first)
      // Calls of this answer are never answered, either; a client that would not send them has lost it.
      const sent = name.startsWith('AI SDK') ? [] : answer.messages
      const next = client.user('Never mind.')
      await client.ask(where, mode === 'record' ? [...first, ...sent, next] : [next])
      await gateway.logged()
      const asked = gateway.contract.requests.slice(seen)
      expect(asked.map(({ verdict }) => verdict?.accepted)).toEqual([true, true])
    },
  )
})
