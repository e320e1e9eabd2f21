/**
 * Prompt caches match bytes: over a long conversation with repairs, shrinks and recoveries each request begins with the
 * bytes of the one before it, except for changes that the guard's own events report.
 */
import { describe, expect, it } from 'vitest'
import { contractFetch } from '../contract/index.ts'
import { dialects } from '../src/dialects/index.ts'
import { type GuardEvent, guard } from '../src/guard/index.ts'
import { parseHistory } from '../src/testing/index.ts'
import { LONG } from './long-runs.ts'

const TURNS = LONG ? 200 : 130
const LATE = new Set([49, 119])
const SUBJECTS = {
  'openai-chat': ['openai', '/v1/chat/completions', { model: 'gpt-4.1' }],
  'anthropic-messages': ['anthropic', '/v1/messages', { model: 'claude-opus-4-5', max_tokens: 100 }],
  'openai-responses': ['openai-responses', '/v1/responses', { model: 'gpt-5', store: false }],
} as const

describe.each(Object.entries(SUBJECTS))('%s', (dialect, [provider, path, rest]) => {
  it(`keeps the prefix over ${TURNS} turns`, async () => {
    const { key } = dialects.find(({ id }) => id === dialect)!
    const contract = contractFetch({ provider, tokenLimit: 30_000, maxRequests: 2000 })
    let events: GuardEvent[] = []
    const fetch = guard({ fetch: contract, provider, wait: async () => {}, onEvent: (event) => events.push(event) })
    const text: string[] = []
    const report = { kept: 0, lost: 0, losses: 0, recovered: 0, repaired: 0 }
    let before = ''
    for (let turn = 0; turn < TURNS; turn++) {
      text.push(...turnOf(turn))
      const history = parseHistory([...text, `user: go on with ${turn}`].join('\n'), dialect)
      contract.script({ text: 'Well.' })
      const earlier = events
      events = []
      const body = JSON.stringify({ ...rest, [key]: history })
      const response = await fetch(`http://anywhere${path}`, { method: 'POST', body })
      expect(response.status, `turn ${turn}: ${await response.clone().text()}`).toBe(200)
      const sent = new TextDecoder().decode(contract.requests.at(-1)!.bytes)
      const same = common(before, sent)
      // The prompt at the end of a request differs in the next one; everything before it is the prefix.
      const wanted = Math.max(0, before.lastIndexOf('go on with'))
      report.repaired += events.some(({ type }) => type === 'repaired') ? 1 : 0
      report.recovered += events.filter(({ type }) => type === 'recovered').length
      report.kept += Math.min(same, wanted)
      report.lost += Math.max(0, wanted - same)
      if (same < wanted) {
        report.losses++
        const named = namedIn(events, earlier, turn).map((id) => before.indexOf(`"${id}"`))
        expect(named.length, `turn ${turn} lost ${wanted - same} bytes for no reason`).toBeGreaterThan(0)
        expect(same, `turn ${turn} lost more than what its report names`).toBeGreaterThanOrEqual(Math.min(...named))
      }
      for (const event of events)
        if ('bytes' in event) expect(event.bytes.prefix + event.bytes.lost).toBe(event.bytes.given)
      before = sent
    }
    expect(report.repaired).toBeGreaterThan(100)
    expect(report.recovered).toBeGreaterThan(2)
    // A shrink makes room for some turns: it is not done again in each of them.
    expect(report.losses).toBeLessThan(20)
    expect(report.kept).toBeGreaterThan(report.lost * 15)
  })
})

/**
 * The calls whose results the reports name: shrunk in this request, or answered for in the one before it and by a real
 * result in this one.
 */
function namedIn(events: readonly GuardEvent[], earlier: readonly GuardEvent[], turn: number): readonly string[] {
  const shrunk = events.flatMap((event) =>
    event.type === 'recovered' && event.recovery === 'shrink'
      ? (event.report['shrunk'] as readonly { id: string }[])
      : [],
  )
  const came = missingIn(events) < missingIn(earlier) ? [`call_${turn - 1}`] : []
  return [...shrunk.map(({ id }) => id), ...came]
}

function missingIn(events: readonly GuardEvent[]): number {
  const repaired = events.find((event) => event.type === 'repaired')
  return repaired?.findings['tool-result-missing'] ?? 0
}

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
