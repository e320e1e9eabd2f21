/**
 * A complete answer: stream and JSON give the same reply, and both are accepted in the next request.
 */

import { describe, expect, it } from 'vitest'
import { judge } from '../../contract/judge.ts'
import type { Part } from '../../src/core/part.ts'
import type { Reply } from '../../src/core/reply.ts'
import { dialects } from '../../src/dialects/index.ts'
import { lint } from '../untyped-api.ts'
import { bodyOf, bytesOf, fromJson, type Place, places, read, scripts } from './fake-provider.ts'

describe.each(places.map((place) => [place.name, place] as const))('%s', (_, place) => {
  it.each(Object.entries(scripts))('%s: the stream gives the same reply as the JSON', (_, script) => {
    const json = fromJson(script, place)
    const stream = read(bytesOf(script, place), place)
    expect(stream).toMatchObject({ complete: true, broken: [] })
    expect(bodyOf(stream)).toEqual(bodyOf(json))
    const { messages: _a, ...one } = stream
    const { messages: _b, ...other } = json
    // Chat providers count tokens in a stream only when they are asked to.
    expect({ ...one, usage: 0 }).toEqual({ ...other, usage: 0 })
    expect(stream.usage ?? json.usage).toEqual(json.usage)
    const calls = script.calls ?? []
    expect(stream.calls.map((call) => [call.name, call.arguments])).toEqual(
      calls.map((call) => [call.name, call.arguments]),
    )
  })

  it.each(Object.entries(scripts))('%s: may come back', (_, script) => {
    for (const reply of [fromJson(script, place), read(bytesOf(script, place), place)]) {
      expect(reply.messages.length).toBeGreaterThan(0)
      const body = nextRequest(place, reply)
      const { provider, endpoint, model } = place.ask
      // It comes back over the connection that gave it.
      const given = new Set(reply.messages.map((message) => String((message as { id?: unknown }).id)))
      expect(judge({ provider, endpoint, model, body, issuedIds: given })).toEqual({ accepted: true })
      const served = provider === 'openai-responses' ? 'openai' : provider
      const findings = lint(body, { provider: served, model, dialect: place.dialect })
      // Copilot's ids may be gone by then, which no answer can know: repair takes them away.
      const errors = findings.filter(
        ({ severity, rule }) => severity === 'error' && rule !== 'item-id-other-connection',
      )
      expect(errors.map((finding) => finding.message)).toEqual([])
    }
  })
})

/** The same request with the answer, results for its calls, and another prompt. */
function nextRequest({ dialect: id, ask }: Place, reply: Reply): Record<string, unknown> {
  const dialect = dialects.find((one) => one.id === id)!
  const results = reply.messages.flatMap((message) => {
    const parts: Part[] = []
    dialect.read(message, 0, parts)
    return parts.filter((part) => part.kind === 'call' && !part.server).map((part) => dialect.answer(part, 'sunny'))
  })
  const before = ask.body[dialect.key]
  const first = typeof before === 'string' ? [dialect.textMessage('user', before)] : (before as unknown[])
  // Another prompt right after results is rejected by some; they are asked to go on.
  const next = results.length > 0 ? dialect.wrapResults(results) : [dialect.textMessage('user', 'Go on.')]
  return { ...ask.body, [dialect.key]: [...first, ...reply.messages, ...next] }
}
