/**
 * Prompt caches match bytes: over a long conversation with repairs, shrinks and recoveries each request begins with the bytes of the one
 * before it, except where the guard's own report says what it changed.
 */
import { describe, expect, it } from 'vitest'
import { contractFetch } from '../contract/index.ts'
import { dialects } from '../src/dialects/index.ts'
import { type GuardEvent, guard } from '../src/guard/index.ts'
import { parseHistory } from '../src/testing/index.ts'

const TURNS = 200
const LATE = new Set([49, 119])
const SUBJECTS = {
  'openai-chat': ['openai', '/v1/chat/completions', { model: 'gpt-4.1' }],
  'anthropic-messages': ['anthropic', '/v1/messages', { model: 'claude-opus-4-5', max_tokens: 100 }],
  'openai-responses': ['openai-responses', '/v1/responses', { model: 'gpt-5', store: false }],
} as const

describe.each(Object.entries(SUBJECTS))('%s', (dialect, [provider, path, rest]) => {
  it('keeps the prefix over 200 turns', async () => {
    const { key } = dialects.find(({ id }) => id === dialect)!
    const contract = contractFetch({ provider, tokenLimit: 30_000, keep: 2000 })
    let events: GuardEvent[] = []
    const fetch = guard({ fetch: contract, provider, wait: async () => {}, onEvent: (event) => events.push(event) })
    const text: string[] = []
    const report = { kept: 0, lost: 0, explained: 0, recovered: 0, repaired: 0 }
    let before = ''
    for (let turn = 0; turn < TURNS; turn++) {
      text.push(...turnOf(turn))
      const history = parseHistory([...text, `user: go on with ${turn}`].join('\n'), dialect)
      contract.script({ text: 'Well.' })
      events = []
      const body = JSON.stringify({ ...rest, [key]: history })
      const response = await fetch(`http://anywhere${path}`, { method: 'POST', body })
      expect(response.status, `turn ${turn}: ${await response.clone().text()}`).toBe(200)
      const sent = new TextDecoder().decode(contract.requests.at(-1)!.bytes)
      const same = common(before, sent)
      // The question at the end of a request is asked anew in the next; all before it is the prefix.
      const wanted = Math.max(0, before.lastIndexOf('go on with'))
      const changed = events.filter(({ type }) => type === 'recovered')
      report.recovered += changed.length
      report.repaired += events.some(({ type }) => type === 'repaired') ? 1 : 0
      report.kept += Math.min(same, wanted)
      if (same < wanted - 200) {
        report.lost += wanted - same
        report.explained++
        expect(changed.length > 0 || LATE.has(turn - 1), `turn ${turn} lost ${wanted - same} bytes for no reason`).toBe(
          true,
        )
      }
      for (const event of events)
        if ('bytes' in event) expect(event.bytes.prefix + event.bytes.lost).toBe(event.bytes.given)
      before = sent
    }
    expect(report.repaired).toBeGreaterThan(100)
    expect(report.recovered).toBeGreaterThan(2)
    expect(report.explained).toBeLessThanOrEqual(report.recovered + LATE.size)
    expect(report.kept).toBeGreaterThan(report.lost * 3)
  })
})

/** A prompt, a call and most often its result: now and then a large one, none, or one that comes a turn late. */
function turnOf(turn: number): string[] {
  const id = (n: number) => `call_${n}`
  const lines = [
    `user: prompt ${turn}: ${'a few words of a question '.repeat(4)}`,
    `assistant: call ${id(turn)} weather`,
  ]
  const words = turn % 5 === 4 ? `line ${turn} of what was found. `.repeat(300) : `sunny in ${turn}`
  if (LATE.has(turn - 1)) lines.unshift(`tool: result ${id(turn - 1)} late but real`)
  if (turn % 7 !== 3 && !LATE.has(turn)) lines.push(`tool: result ${id(turn)} ${words}`)
  return [...lines, ...(turn % 7 === 3 || LATE.has(turn) ? [] : [`assistant: noted ${turn}`])]
}

function common(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}
