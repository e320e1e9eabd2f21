/**
 * Streams that fail, as each provider and each bad relay lets them: through the contract's own `fetch`.
 */
import { describe, expect, it } from 'vitest'
import type { Fault } from '../../contract/server/faults.ts'
import { contractFetch } from '../../contract/server/fetch.ts'
import { request, taken, ways } from '../../contract/server/testing/ways.ts'
import type { Reply } from '../../src/core/reply.ts'
import { framingOf, replies } from '../../src/dialects/replies/index.ts'
import { DIALECTS, fromChunks } from './fake-provider.ts'

const script = {
  chunkBytes: 5,
  reasoning: 'Hm, née?',
  text: 'One moment, s’il vous plaît.',
  calls: [{ id: 'call00001', name: 'weather', arguments: { city: 'Zürich' } }],
}
const all = ways('Hello')
const streams = all.filter((way) => way.stream)

describe.each(streams.map((way) => [`${way.provider} ${way.endpoint}`, way] as const))('%s', (_, way) => {
  async function answered(...fault: Fault[]): Promise<Reply> {
    const asked = contractFetch({ script: [{ ...script, fault }] })
    const response = await asked(`http://a${way.path}`, request(way))
    expect(response.status).toBe(200)
    const { bytes } = await taken(response)
    return fromChunks([bytes], DIALECTS[way.endpoint], framingOf(response.headers.get('content-type'))!)
  }

  it.each([0, 1, 5, 9])('an error event after %i events', async (count) => {
    const reply = await answered(`error-event=${count}`)
    expect(reply).toMatchObject({ complete: false, why: 'error', calls: [] })
    expect(JSON.stringify(reply.error)).toMatch(/verloaded|unavailable/i)
  })

  it('a bare error in the middle', async () => {
    const reply = await answered('bare-error=6')
    expect(reply).toMatchObject({ complete: false, calls: [] })
    if (way.endpoint !== 'converse') expect(JSON.stringify(reply.error)).toMatch(/verloaded|unavailable/)
  })

  it.each(['cut-in-character', 'cut-in-arguments', 'done-after-events=5', 'end-after-events=5'] as const)(
    '%s',
    async (fault) => {
      expect(await answered(fault)).toMatchObject({ complete: false, why: 'cut', calls: [] })
    },
  )
})

describe('a JSON error', () => {
  it.each(all.filter((way) => !way.stream).map((way) => [`${way.provider} ${way.endpoint}`, way] as const))(
    '%s',
    async (_, way) => {
      const asked = contractFetch({ script: [{ ...script, fault: 'status=429' }] })
      const response = await asked(`http://a${way.path}`, request(way))
      const reply = replies[DIALECTS[way.endpoint]]!.json(await response.json())
      expect(reply).toMatchObject({ messages: [], complete: false, why: 'error', calls: [], broken: [] })
      expect(reply.error).toBeDefined()
    },
  )
})
