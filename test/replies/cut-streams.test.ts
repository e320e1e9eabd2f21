/**
 * A stream that ends before its mark is never an answer: nothing of it may be run, and its text is kept.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from '../../contract/judge.ts'
import type { Reply } from '../../src/core/reply.ts'
import { dialects } from '../../src/dialects/index.ts'
import { runsOf } from '../long-runs.ts'
import { bytesOf, eventsOf, fromJson, join, type Place, places, read, scripts } from './fake-provider.ts'

const SEED = 20261118

describe.each(places.map((place) => [place.name, place] as const))('%s', (_, place) => {
  it.each(Object.entries(scripts))('%s: cut after every event', (_, script) => {
    const events = bytesOf(script, place)
    const marked = markOf(script, place)
    const whole = fromJson(script, place)
    for (let count = 0; count < events.length; count++) {
      const reply = read(events.slice(0, count), place)
      if (count > marked) expect(reply.complete).toBe(true)
      else expectCut(reply, whole, place)
      if (count === marked && place.ask.endpoint !== 'gemini')
        expect(textIn(reply.messages)).toBe(textIn(whole.messages))
    }
  })

  it('cut at any byte before its mark', () => {
    const script = { ...scripts['all']!, chunkBytes: 6 }
    const events = bytesOf(script, place)
    const bytes = join(events)
    const end = join(events.slice(0, markOf(script, place) + 1)).length
    const whole = fromJson(script, place)
    fc.assert(
      // The line that ends an event belongs to it, save its last byte where two ends meet; a list's element ends with
      // its brace.
      fc.property(fc.nat({ max: end - 5 }), (at) => expectCut(read([bytes.subarray(0, at)], place), whole, place)),
      { seed: SEED, numRuns: runsOf(60, 200) },
    )
  })
})

/** The place of the event that ends the answer. */
function markOf(script: (typeof scripts)[string], place: Place): number {
  return eventsOf(script, place).findLastIndex(({ name, data }) => {
    const text = JSON.stringify(data) ?? ''
    if (place.ask.endpoint === 'chat') return /"finish_reason":"/.test(text)
    if (place.ask.endpoint === 'gemini') return text.includes('"finishReason"')
    return /^(message_stop|messageStop|response\.(completed|incomplete))$/.test(name ?? '')
  })
}

function expectCut(reply: Reply, whole: Reply, place: Place): void {
  expect(reply).toMatchObject({ complete: false, why: 'cut', calls: [] })
  expect(reply.broken.every((call) => call.why === 'unfinished')).toBe(true)
  expect(textIn(whole.messages).startsWith(textIn(reply.messages))).toBe(true)
  if (reply.messages.length === 0) return
  const { provider, endpoint, model, body } = place.ask
  const dialect = dialects.find((one) => one.id === place.dialect)!
  const before = body[dialect.key]
  const first = typeof before === 'string' ? [dialect.textMessage('user', before)] : (before as unknown[])
  const history = [...first, ...reply.messages, dialect.textMessage('user', 'Go on.')]
  expect(judge({ provider, endpoint, model, body: { ...body, [dialect.key]: history } })).toEqual({ accepted: true })
}

/** All plain text of the messages. */
function textIn(messages: readonly unknown[]): string {
  const texts: string[] = []
  JSON.stringify(messages, (key, value) => {
    if (value?.thought === true || value?.type === 'thinking' || key === 'reasoningContent') return undefined
    if ((key === 'text' || key === 'content') && typeof value === 'string') texts.push(value)
    return key === 'reasoning_details' || key === 'summary' ? undefined : value
  })
  return texts.join('')
}
