/**
 * Bodies that are small on the wire and costly to read: one finding, and nothing is changed. Long histories with many
 * faults are repaired. What they cost is measured by `npm run bench:hostile`.
 */
import { describe, expect, it } from 'vitest'
import { type Body, bodies } from '../bench/hostile-bodies.ts'
import { type GuardEvent, guard } from '../src/guard/index.ts'
import { lint, repair } from '../src/index.ts'
import { mains } from './dialect-table.ts'

const MEGABYTE = 1e6
/** The worst shapes. Bodies are made one at a time. */
const DENSE = /^(?:part|messages) of|a result of|calls in one message|unknown keys on parts/
const shapes = [...new Set([...bodies(100)].filter(({ isValid }) => !isValid).map(({ shape }) => shape))]

function optionsFor({ dialect }: Body) {
  return { provider: mains[dialect], dialect } as never
}

/** A guard in front of a provider that accepts everything. */
function guarded() {
  const events: GuardEvent[] = []
  const sent: unknown[] = []
  const fetch = guard({
    onEvent: (event) => events.push(event),
    fetch: async (_input, init) => {
      sent.push(init?.body)
      return new Response('{}')
    },
  })
  return { events, sent, fetch }
}

const addresses: Readonly<Record<string, string>> = {
  'openai-chat': 'https://api.openai.com/v1/chat/completions',
  'openai-responses': 'https://api.openai.com/v1/responses',
  'anthropic-messages': 'https://api.anthropic.com/v1/messages',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
  'bedrock-converse': 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-sonnet-4/converse',
}

it('no check has more findings than one for 64 bytes, in any shape', () => {
  for (const body of bodies(100_000)) {
    const { findings, patch } = repair(JSON.parse(body.text) as object, optionsFor(body))
    const place = `${body.dialect}: ${body.shape}`
    expect(findings.length, place).toBeLessThan(2 * (100 + body.text.length / 64))
    if (findings[0]?.rule === 'too-many-findings') expect(patch, place).toEqual([])
  }
})

it.each(['part of numbers', 'messages of empty objects', 'a result of numbers', 'calls in one message'])(
  '%s: one finding says that the rest was not checked',
  (shape) => {
    const body = [...bodies(MEGABYTE, new RegExp(`openai-chat ${shape}$`))].find((one) => one.shape === shape)!
    const history = JSON.parse(body.text) as object
    const repaired = repair(history, optionsFor(body))
    expect(repaired.value).toBe(history)
    expect(repaired.patch).toEqual([])
    for (const findings of [lint(history, optionsFor(body)), repaired.findings, repaired.remaining])
      expect(JSON.parse(JSON.stringify(findings))).toEqual([
        expect.objectContaining({ rule: 'too-many-findings', severity: 'error', at: [] }),
      ])
  },
)

it('what a finding names can be passed as `rejectedBy`', () => {
  const findings = lint([{ role: 'user', content: Array.from({ length: 50_000 }, () => 1) }], { provider: 'openai' })
  expect(() => lint([], { provider: 'openai', rejectedBy: findings.map(({ rule }) => rule) })).not.toThrow()
})

it('100,000 messages with 10,000 faults are repaired', () => {
  const history = Array.from({ length: 50_000 }, (_, i) => [
    { role: 'user', content: `Question ${i}` },
    i % 5 === 0
      ? { role: 'assistant', content: null, tool_calls: [call(`c${i}`)] }
      : { role: 'assistant', content: `Answer ${i}` },
  ]).flat()
  const { patch, remaining, findings } = repair(history, { provider: 'openai', dialect: 'openai-chat' })
  expect([findings.length, patch.length, remaining]).toEqual([10_000, 10_000, []])
})

function call(id: string) {
  return { id, type: 'function', function: { name: 'f', arguments: '{}' } }
}

describe('the guard', () => {
  it.each(shapes.filter((shape) => DENSE.test(shape)))('%s: passed on unchanged, with an event', async (shape) => {
    for (const body of bodies(MEGABYTE, new RegExp(` ${shape}$`))) {
      if (body.isValid) continue
      const { events, sent, fetch } = guarded()
      await fetch(addresses[body.dialect]!, { method: 'POST', body: body.text })
      expect(sent[0] === body.text, body.dialect).toBe(true)
      expect(events.map(({ type }) => type)).toContain('passed')
      expect(['too-many-values', 'too-many-findings']).toContain((events[0] as { why?: string }).why)
    }
  })

  it('a broken body with many findings for its size is passed on, one with fewer is repaired', async () => {
    const broken = (length: number) =>
      JSON.stringify({
        model: 'gpt-5',
        messages: Array.from({ length: 500 }, (_, i) => [
          { role: 'user', content: 'a'.repeat(length) },
          { role: 'assistant', content: null, tool_calls: [call(`c${i}`)] },
        ]).flat(),
      })
    const ask = async (body: string) => {
      const { events, sent, fetch } = guarded()
      const { headers } = await fetch(addresses['openai-chat']!, { method: 'POST', body })
      const [first] = events as { type: string; why?: string }[]
      return [sent[0] === body, first!.why ?? first!.type, headers.get('suture-findings')]
    }
    expect(await ask(broken(10))).toEqual([true, 'too-many-findings', 'too-many-findings'])
    expect(await ask(broken(400))).toEqual([false, 'repaired', 'tool-result-missing;n=500'])
  })

  it('commas and brackets in texts do not count as values', async () => {
    const csv = '"a,b",[1,2],{"c":"\\\\"}\n'.repeat(5_000)
    const messages = [
      { role: 'user', content: csv },
      { role: 'assistant', content: null, tool_calls: [call('c')] },
    ]
    const { events, fetch } = guarded()
    await fetch(addresses['openai-chat']!, { method: 'POST', body: JSON.stringify({ model: 'gpt-5', messages }) })
    expect(events[0]).toMatchObject({ type: 'repaired', edits: 1 })
  })

  it.each(['text', 'bytes'])('a large valid list of numbers is counted as values, as %s', async (kind) => {
    const body = JSON.stringify({
      model: 'gpt-5',
      messages: [],
      points: Array.from({ length: 100_000 }, (_, i) => i % 9),
    })
    const { events, fetch } = guarded()
    await fetch(addresses['openai-chat']!, {
      method: 'POST',
      body: kind === 'text' ? body : new TextEncoder().encode(body),
    })
    expect(events).toMatchObject([{ type: 'passed', why: 'too-many-values' }])
  })
})
