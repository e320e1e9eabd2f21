import { expect, it } from 'vitest'
import { soak } from '../../scripts/soak.ts'

it('many streams, clients that disconnect, upstreams that break off: each ends completely or with an error', async () => {
  const seed = 7
  const result = await soak({ streams: 60, total: 240, seed })
  expect(result, `seed ${seed}`).toMatchObject({ silent: 0, inFlight: 0, running: 0, sockets: 0 })
  expect(result.complete + result.failed + result.canceled).toBe(240)
  expect(Math.min(result.complete, result.failed, result.canceled)).toBeGreaterThan(0)
})
