import { expect, it } from 'vitest'
import { soak } from '../../scripts/soak.ts'

it('many streams, clients that leave, upstreams that break off: each ends with its end or an error', async () => {
  const seed = 7
  const result = await soak({ streams: 60, total: 240, seed })
  expect(result, `seed ${seed}`).toMatchObject({ silent: 0, inFlight: 0, running: 0, sockets: 0 })
  expect(result.whole + result.failed + result.left).toBe(240)
  expect(Math.min(result.whole, result.failed, result.left)).toBeGreaterThan(0)
})
