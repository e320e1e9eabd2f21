/**
 * A real fault with something new beside it. Before a rejection nothing is edited that touches the new part. The
 * provider here is the contract, to which the invention means nothing; after its rejection the fault is repaired.
 */
import { describe, expect, it } from 'vitest'
import { judge } from '../../contract/judge.ts'
import { type Dialect, Transcript } from '../../src/core/index.ts'
import { guard } from '../../src/guard/index.ts'
import { conversation, corruptions, Random } from '../../src/testing/corruptions/index.ts'
import { endpoints, mains } from '../dialect-table.ts'
import { runsOf } from '../long-runs.ts'
import { requestOf, urls, wired } from './endpoints.ts'
import { additions, Dice, deepAdditions, historyOf, INVENTED, type Request, withoutInventions } from './inventions.ts'

const seed = Number(process.env['SUTURE_SEED'] ?? 20261120)
const runs = runsOf(1, 30)
const changes = Object.entries<(typeof additions)[string]>({ ...additions, ...deepAdditions }).filter(
  ([name]) => name !== 'another role',
)

/** Half a surrogate pair is repaired beside anything; an empty message can hold an invention alone. */
const kit = corruptions.filter(({ id }) => id !== 'lone-surrogates' && id !== 'empty-turn')
let sent: string[] = []
let dialect: Dialect
let tried = 0
const ask = () =>
  guard({
    wait: async () => {},
    fetch: async (_input, init) => {
      const body = typeof init!.body === 'string' ? init!.body : new TextDecoder().decode(init!.body as Uint8Array)
      sent.push(body)
      const verdict = verdictOn(JSON.parse(body))
      const headers = { 'content-type': 'application/json' }
      if (verdict.accepted) return new Response('{}', { headers })
      return new Response(JSON.stringify(verdict.body), { status: verdict.status, headers })
    },
  })

function verdictOn(body: unknown) {
  return judge({ provider: mains[dialect.id]!, endpoint: endpoints[dialect.id]!, body: withoutInventions(body) })
}

/** Parts that an invention is in, and calls and results whose id it names. Contents of results may be data. */
function touched(request: Request): readonly string[] {
  const { parts } = new Transcript(historyOf(request, dialect), dialect)
  const own = parts.map(
    ({ value, body, kind }) => [value, kind === 'result' && !Array.isArray(body) ? JSON.stringify(body) : ''] as const,
  )
  const marked = own.map(([value, body]) => [value, JSON.stringify(value).replace(body, '')] as const)
  return marked.flatMap(([value, text]) => (INVENTED.test(text) ? [JSON.stringify(value)] : []))
}

describe.each(wired.map((one) => [one.id, one] as const))('%s', (_id, one) => {
  it.each(changes)('%s', async (name, change) => {
    dialect = one
    for (const [i, corruption] of kit.entries())
      for (let run = 0; run < runs; run++) {
        const random = new Random(seed + 7 * run + 1000 * i + name.length)
        const history = corruption.apply(conversation(dialect.id, random), dialect, random)
        const broken = history && requestOf(history, dialect)
        if (!broken || verdictOn(broken.body).accepted) continue
        const ids = new Transcript(history, dialect).calls.flatMap(({ id }) => id ?? [])
        const request = change(broken, dialect, new Dice(seed + run + 100 * i), ids)
        if (!request) continue
        tried++
        sent = []
        const body = JSON.stringify(request.body)
        const response = await ask()(urls[dialect.id]!, { method: 'POST', headers: request.headers, body })
        const lost = touched(request).filter((text) => !sent[0]!.includes(text))
        if (lost.length > 0) expect([sent[0], ...lost], corruption.id).toEqual([body])
        if (request.headers !== broken.headers) expect(sent[0], corruption.id).toBe(body)
        if (response.status !== 200) expect(await response.text(), `${corruption.id}: ${sent.at(-1)}`).toBe('{}')
      }
  })
})

it('tries at least 800 requests', () => expect(tried).toBeGreaterThan(800))
