/**
 * Real streams with something wrong in them: values of other kinds, events lost, doubled or out of order.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frame, Reply } from '../../src/core/reply.ts'
import { replies } from '../../src/dialects/replies/index.ts'
import { runsOf } from '../long-runs.ts'
import { bytesOf, framesOf, fromJson, type Place, places, scripts, wholeOf } from './fake-provider.ts'

const SEED = 20261120
const names = [
  'anthropic messages',
  'openai chat',
  'mistral chat',
  'openrouter chat',
  'openai responses',
  'gemini gemini',
  'bedrock converse',
]
const chosen = names.map((name) => places.find((place) => place.name === name)!)

const junk = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  2 ** 53,
  '',
  'x',
  '{"a":',
  [],
  [null],
  {},
  { a: [] },
  [[]],
  JSON.parse('{"__proto__":{"x":1}}'),
)
const change = fc.record({
  do: fc.constantFrom('value', 'value', 'value', 'drop', 'double', 'swap', 'event'),
  at: fc.nat(),
  path: fc.array(fc.nat({ max: 9 }), { maxLength: 7 }),
  to: junk,
})

describe.each(chosen.map((place) => [place.name, place] as const))('%s', (_, place) => {
  const script = { ...scripts['all']!, chunkBytes: 12 }
  const frames = framesOf(bytesOf(script, place), place)

  it('never throws and never runs what did not end', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        let mutant: readonly Frame[] = frames
        for (const one of changes) mutant = changed(mutant, one)
        const assembler = replies[place.dialect]!.stream()
        for (const frame of mutant) assembler.push(frame)
        expectValid(assembler.end(), place)
        const body = changes.reduce<unknown>((value, { path, to }) => withJunk(value, path, to), wholeOf(script, place))
        expectValid(replies[place.dialect]!.json(body), place)
      }),
      { seed: SEED, numRuns: runsOf(300, 1_000) },
    )
  })

  it('reads the same after it was read once', () => {
    expect(fromJson(script, place)).toEqual(fromJson(script, place))
  })
})

function expectValid(reply: Reply, place: Place): void {
  expect(reply.complete).toBe(reply.why === undefined)
  if (!reply.complete) expect(reply.calls).toEqual([])
  const idless = place.ask.endpoint === 'gemini'
  for (const { id, name, arguments: args } of reply.calls) {
    expect(typeof id === 'string' && (idless || id !== '')).toBe(true)
    expect(typeof name === 'string' && name !== '').toBe(true)
    expect(typeof args === 'object' && args !== null && !Array.isArray(args)).toBe(true)
  }
  expect(Object.keys(Object.prototype)).toEqual([])
}

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(frames: readonly Frame[], { do: how, at, path, to }: Change): readonly Frame[] {
  const index = at % Math.max(1, frames.length)
  const frame = frames[index]
  if (!frame) return frames
  switch (how) {
    case 'drop':
      return frames.toSpliced(index, 1)
    case 'double':
      return frames.toSpliced(index, 0, frame)
    case 'swap':
      return frames.toSpliced(index, 2, ...frames.slice(index, index + 2).reverse())
    case 'event':
      return frames.with(index, { ...frame, event: String(to) })
    default:
      return frames.with(index, {
        ...frame,
        data: frame.data.startsWith('[') ? '1' : JSON.stringify(withJunk(JSON.parse(frame.data), path, to)),
      })
  }
}

/** The value with junk somewhere inside, the way there by numbers. */
function withJunk(value: unknown, path: readonly number[], to: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined || typeof value !== 'object' || value === null) return to
  if (Array.isArray(value))
    return value.length === 0 ? [to] : value.with(step % value.length, withJunk(value[step % value.length], rest, to))
  const keys = Object.keys(value)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined) return { x: to }
  return { ...value, [key]: withJunk((value as Record<string, unknown>)[key], rest, to) }
}
