/**
 * Chunks may break anywhere: in two at every byte, into single bytes, at random.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONG, runsOf } from '../long-runs.ts'
import { bytesOf, framesOf, join, places, read, scripts } from './fake-provider.ts'

const SEED = 20261117

describe.each(places.map((place) => [place.name, place] as const))('%s', (_, place) => {
  const script = { ...scripts['all']!, chunkBytes: 9 }
  const bytes = join(bytesOf(script, place))
  const whole = read([bytes], place)

  it('reads the same in one chunk and event by event', () => {
    expect(whole.complete).toBe(true)
    expect(read(bytesOf(script, place), place)).toEqual(whole)
  })

  it('has the same frames in two chunks, wherever they part', () => {
    const frames = JSON.stringify(framesOf([bytes], place))
    for (let at = 0; at <= bytes.length; at += LONG ? 1 : 3) {
      const parts = [bytes.slice(0, at), bytes.slice(at)]
      const got = JSON.stringify(framesOf(parts, place))
      if (got !== frames) expect(`${at}: ${got}`).toBe(frames)
      // The same frames are the same reply; now and then that is looked at too.
      if (at % 50 === 0) expect(read(parts, place)).toEqual(whole)
    }
  })

  it('reads the same in single bytes and in random chunks', () => {
    expect(read(sliced(bytes, [1]), place)).toEqual(whole)
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1 }), (sizes) => {
        expect(read(sliced(bytes, sizes), place)).toEqual(whole)
      }),
      { seed: SEED, numRuns: runsOf(8, 25) },
    )
  })
})

function* sliced(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!
    yield bytes.slice(at, at + size)
    at += size
  }
}
