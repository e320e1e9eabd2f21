/**
 * Streams of tomorrow: event types, keys and finish reasons that no provider has today pass through the guard and the
 * gateway byte for byte.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { frames } from '../../contract/server/frames.ts'
import type { WireEvent } from '../../contract/server/types.ts'
import { guard } from '../../src/guard/index.ts'
import { inFrontOf } from '../gateway/start-gateway.ts'
import { eventsOf, join, type Place, places, scripts } from '../replies/fake-provider.ts'
import { requestOf, urls, wired } from './endpoints.ts'
import { Dice, inventName, inventValue } from './inventions.ts'

const FINISH = /^(?:finish_reason|stop_reason|finishReason|stopReason)$/

type Change = (events: readonly WireEvent[], dice: Dice) => readonly WireEvent[]

/** An event with the same frame, and another name and content. */
function inventEvent(like: WireEvent, dice: Dice): WireEvent {
  const name = inventName(dice)
  const data = { type: name, [inventName(dice)]: inventValue(dice, []) }
  return { ...like, ...(like.name === undefined ? {} : { name }), data }
}

function withFinish(value: unknown, dice: Dice): unknown {
  if (Array.isArray(value)) return value.map((one) => withFinish(one, dice))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, held]) => {
    const isReason = FINISH.test(key) && typeof held === 'string'
    return [key, isReason ? inventName(dice) : withFinish(held, dice)] as const
  })
  return Object.fromEntries(entries)
}

const isData = ({ data }: WireEvent) => typeof data === 'object' && data !== null

const changes: Readonly<Record<string, Change>> = {
  'events of a new type': (events, dice) =>
    events.flatMap((event) => (dice.chance(40) && isData(event) ? [inventEvent(event, dice), event] : [event])),
  'keys of events': (events, dice) =>
    events.map((event) =>
      isData(event)
        ? { ...event, data: { ...(event.data as object), [inventName(dice)]: inventValue(dice, []) } }
        : event,
    ),
  'finish reasons': (events, dice) => events.map((event) => ({ ...event, data: withFinish(event.data, dice) })),
}

const TYPES = { sse: 'text/event-stream', array: 'application/json', eventstream: 'application/vnd.amazon.eventstream' }

const one = wired.flatMap(({ id }) => {
  const place = places.find(({ dialect, ask }) => dialect === id && ask.framing !== 'array')
  return place ? [[id, place] as const] : []
})

let answer: { readonly type: string; readonly bytes: Uint8Array }
const gateway = await inFrontOf((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': answer.type }).end(answer.bytes)
})
afterAll(() => gateway.close())

function bodyOf(place: Place): string {
  const dialect = wired.find(({ id }) => id === place.dialect)!
  return JSON.stringify({ ...requestOf([dialect.textMessage('user', 'Go on.')], dialect).body, stream: true })
}

describe.each(one)('%s', (id, place) => {
  const url = urls[id]!.replace(':generateContent', ':streamGenerateContent?alt=sse').replace(
    /converse$/,
    'converse-stream',
  )
  it.each(Object.entries(changes))('%s pass', async (name, change) => {
    for (let seed = 1; seed <= 10; seed++) {
      const events = change(eventsOf(scripts['all']!, place), new Dice(seed + name.length))
      const bytes = join(frames([...events], place.ask).map((frame) => frame.bytes))
      answer = { type: TYPES[place.ask.framing], bytes }
      const headers = { 'content-type': answer.type }
      const ask = guard({ fetch: async () => new Response(bytes as Uint8Array<ArrayBuffer>, { headers }) })
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: bodyOf(place) }
      const direct = await ask(url, init)
      expect(Buffer.from(await direct.arrayBuffer()).equals(bytes), `${seed}`).toBe(true)
      const { pathname, search } = new URL(url)
      const through = await fetch(`${gateway.url}/own${pathname}${search}`, init)
      expect(Buffer.from(await through.arrayBuffer()).equals(bytes), `${seed}`).toBe(true)
    }
  })
})
