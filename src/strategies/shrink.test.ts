/**
 * Shrinks tool results, in every dialect; includes eight flaws of an earlier implementation, none of which this one
 * has.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../test/long-runs.ts'
import { apply, type Dialect, invert, type Part } from '../core/index.ts'
import { dialects } from '../dialects/index.ts'
import { byBytes, type Memory, shrink, shrinkAgain, shrinkMemory } from './shrink.ts'

const SEED = 20261116

/** A prompt, then one round for each result; by the dialect's own means. */
function historyOf(dialect: Dialect, results: Readonly<Record<string, unknown>>): unknown[] {
  const history: unknown[] = [dialect.textMessage('user', 'go')]
  for (const [id, body] of Object.entries(results)) {
    const blank = partsOf(dialect, dialect.textMessage('user', 'x'))[0]!
    const call = dialect.call(blank, id, 'tool')
    const answer = dialect.answer(partsOf(dialect, call)[0]!, 'x')
    const held = dialect.wrapResults([answer])
    const parts = partsOf(dialect, held[0])
    const part = parts.find(({ kind }) => kind === 'result')!
    const value = dialect.write(part, part.value, { result: body })
    // Where a result is in the part of its call, that part is the call too.
    if (!parts.some(({ kind }) => kind === 'call')) history.push(call)
    history.push(...(part.list.length > 0 || part.index >= 0 ? dialect.wrapResults([value]) : [value]))
  }
  return [...history, dialect.textMessage('assistant', 'done')]
}

function partsOf(dialect: Dialect, message: unknown): Part[] {
  const parts: Part[] = []
  dialect.read(message, 0, parts)
  return parts
}

function resultTexts(dialect: Dialect, history: readonly unknown[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const message of history)
    for (const part of partsOf(dialect, message))
      if (part.kind === 'result') texts[part.id ?? ''] = dialect.content(part).text
  return texts
}

const openai = dialects.find(({ id }) => id === 'openai-chat')!
const anthropic = dialects.find(({ id }) => id === 'anthropic-messages')!

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('shrinking in %s', (_id, dialect) => {
  const bodies = { small: 'ok', large: 'x'.repeat(40_000), middle: 'y'.repeat(8_000) }

  it('takes from the largest first, and from no more than needed', () => {
    const { shrunk, history, saved } = shrink(historyOf(dialect, bodies), {
      dialect,
      need: 5000,
      memory: shrinkMemory(),
    })
    expect(shrunk.map(({ id }) => id)).toEqual(['large'])
    expect(saved).toBeGreaterThanOrEqual(5000)
    expect(resultTexts(dialect, history)['middle']).toContain(bodies.middle)
  })

  it('continues with the next if one is not enough, and leaves small ones', () => {
    const { shrunk } = shrink(historyOf(dialect, bodies), { dialect, need: 11_000, memory: shrinkMemory() })
    expect(shrunk.map(({ id }) => id)).toEqual(['large', 'middle'])
  })

  it('leaves every other message as it is, and can be undone', () => {
    const before = historyOf(dialect, bodies)
    const { history, patch } = shrink(before, { dialect, need: 5000, memory: shrinkMemory() })
    expect(history.filter((message, i) => message !== before[i])).toHaveLength(1)
    expect(apply(before, patch)).toEqual(history)
    expect(apply(history, invert(patch))).toEqual(before)
  })

  it('sends the same bytes in the next request, and returns the original', () => {
    const memory = shrinkMemory()
    const first = shrink(historyOf(dialect, bodies), { dialect, need: 11_000, memory })
    const next = [...historyOf(dialect, bodies), dialect.textMessage('user', 'more')]
    const again = shrinkAgain(next, { dialect, memory })
    expect(JSON.stringify(again.history.slice(0, -1))).toBe(JSON.stringify(first.history))
    expect(again.ids.toSorted()).toEqual(['large', 'middle'])
    expect(JSON.stringify(memory.recall('large'))).toContain(bodies.large)
    // What is already short is not touched again.
    expect(shrinkAgain(again.history, { dialect, memory }).history).toBe(again.history)
  })

  it('shrinks a second time from the original, and the next request follows', () => {
    const memory = shrinkMemory()
    const first = shrink(historyOf(dialect, bodies), { dialect, need: 2000, memory })
    const second = shrink(first.history, { dialect, need: 4000, memory })
    expect(resultTexts(dialect, second.history)['large']).toMatch(/of 40\d{3} characters left out/)
    expect(resultTexts(dialect, second.history)['large']).not.toMatch(/left out[\s\S]*left out/)
    expect(shrinkAgain(historyOf(dialect, bodies), { dialect, memory }).history).toEqual(second.history)
  })

  it('does nothing for nothing', () => {
    const history = historyOf(dialect, { a: 'short', b: 'also short' })
    expect(shrink(history, { dialect, need: 1000, memory: shrinkMemory() })).toEqual({
      history,
      patch: [],
      shrunk: [],
      saved: 0,
    })
    expect(shrink(history, { dialect, need: 1000, memory: shrinkMemory() }).history).toBe(history)
  })

  it(`is within its limit, never grows, keeps JSON and code points, is stable (seed ${SEED})`, () => {
    const body = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3000 }),
      fc
        .array(fc.record({ name: fc.string(), text: fc.string({ maxLength: 300 }) }), { maxLength: 60 })
        .map((rows) => JSON.stringify({ rows })),
    )
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{4}$/), body, { minKeys: 1, maxKeys: 5 }),
        fc.nat(2000),
        (results, need) => {
          const before = historyOf(dialect, results)
          const memory = shrinkMemory()
          const { history, saved } = shrink(before, { dialect, need, memory, least: 64 })
          const [was, now] = [resultTexts(dialect, before), resultTexts(dialect, history)]
          const all = Object.values(was).reduce((total, text) => total + Math.max(byBytes(text) - 64, 0), 0)
          expect(saved).toBeGreaterThanOrEqual(Math.min(need, all))
          for (const [id, text] of Object.entries(was)) {
            expect(now[id]!.length).toBeLessThanOrEqual(text.length)
            expect(now[id]!.isWellFormed()).toBe(true)
            if (text.startsWith('{"rows"')) expect(() => JSON.parse(now[id]!)).not.toThrow()
          }
          expect(shrinkAgain(before, { dialect, memory }).history).toEqual(history)
          expect(shrink(before, { dialect, need, memory: shrinkMemory(), least: 64 }).history).toEqual(history)
        },
      ),
      { seed: SEED, numRuns: runsOf(25, 60) },
    )
  })
})

describe('the eight flaws of an earlier compression', () => {
  const one = (dialect: Dialect, body: unknown, least: number, memory: Memory = shrinkMemory()) => {
    const before = historyOf(dialect, { a: body })
    const outcome = shrink(before, { dialect, need: 1e9, memory, least })
    return {
      ...outcome,
      before: resultTexts(dialect, before)['a']!,
      after: resultTexts(dialect, outcome.history)['a']!,
    }
  }

  it('a plain text is within its limit, notice and all [LD1]', () => {
    const { after } = one(openai, 'x'.repeat(1000), 128)
    expect(byBytes(after)).toBeLessThanOrEqual(128)
    expect(after).toMatch(/left out/)
  })

  it('one character over the limit does not make it longer [LD2]', () => {
    const { before, after } = one(openai, 'x'.repeat(513), 128)
    expect(after.length).toBeLessThan(before.length)
  })

  it('JSON whose bulk is not under `result` gets shorter [LD3]', () => {
    const { before, after } = one(openai, JSON.stringify({ result: 'ok', log: 'l'.repeat(2000) }), 128)
    expect(after.length).toBeLessThan(before.length)
    expect(byBytes(after)).toBeLessThanOrEqual(128)
    expect(JSON.parse(after).result).toBe('ok')
  })

  it('a JSON list is shrunk; what cannot be shrunk is not reported as changed [LD4]', () => {
    const { after, shrunk } = one(openai, JSON.stringify(Array.from({ length: 400 }, (_, i) => i)), 128)
    expect(byBytes(after)).toBeLessThanOrEqual(128)
    expect(JSON.parse(after)).toContain(399)
    expect(shrunk).toHaveLength(1)
    const image = [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(9000) } }]
    const kept = one(anthropic, image, 16)
    expect(kept.shrunk).toEqual([])
    expect(kept.patch).toEqual([])
  })

  it('no surrogate pair is divided [LD5]', () => {
    for (let least = 20; least < 60; least++)
      expect(one(openai, '😀'.repeat(500), least).after.isWellFormed()).toBe(true)
  })

  it('small results stay when a large one is the cause [LD6]', () => {
    const history = historyOf(openai, { big: 'x'.repeat(20_000), two: 'y'.repeat(1000), three: 'z'.repeat(1000) })
    const { shrunk } = shrink(history, { dialect: openai, need: 3000, memory: shrinkMemory() })
    expect(shrunk.map(({ id }) => id)).toEqual(['big'])
  })

  it('results of several parts are shrunk: texts cut, media kept, or replaced when asked [LD7]', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(8000) } }
    const body = [{ type: 'text', text: 'a'.repeat(6000) }, image, { type: 'text', text: 'tail' }]
    const { history, after } = one(anthropic, body, 128)
    expect(byBytes(after)).toBeLessThanOrEqual(128)
    expect(JSON.stringify(history)).toContain('A'.repeat(8000))
    expect(after).toContain('tail')
    const shrunk = shrink(historyOf(anthropic, { a: body }), {
      dialect: anthropic,
      need: 1e9,
      memory: shrinkMemory(),
      media: true,
      least: 128,
    })
    expect(JSON.stringify(shrunk.history)).not.toContain('A'.repeat(8000))
    expect(resultTexts(anthropic, shrunk.history)['a']).toMatch(/image of 8\d{3} bytes left out/)
  })

  it('it is on record, the original can be had, and the next request does not send it in full [LD8]', () => {
    const memory = shrinkMemory()
    const { shrunk, history } = one(openai, 'x'.repeat(9000), 128, memory)
    expect(shrunk).toEqual([{ id: 'a', before: 2250, after: expect.any(Number) }])
    expect(memory.recall('a')).toEqual(['x'.repeat(9000)])
    expect(shrinkAgain(historyOf(openai, { a: 'x'.repeat(9000) }), { dialect: openai, memory }).history).toEqual(
      history,
    )
  })
})

describe('the memory of decisions', () => {
  it('distinguishes two results with one id', () => {
    const memory = shrinkMemory()
    shrink(historyOf(openai, { a: 'x'.repeat(9000) }), { dialect: openai, need: 1000, memory })
    const other = historyOf(openai, { a: 'y'.repeat(9000) })
    expect(shrinkAgain(other, { dialect: openai, memory }).history).toBe(other)
    shrink(other, { dialect: openai, need: 1000, memory })
    expect(memory.recall('a')).toEqual(['x'.repeat(9000), 'y'.repeat(9000)])
  })

  it('is bounded by count and by bytes', () => {
    const memory = shrinkMemory({ maxEntries: 3, maxBytes: 100_000 })
    const remember = (callId: string, original: string) =>
      memory.remember({ callId, hash: original, nowHash: 'n' + original, now: '', original })
    for (let i = 0; i < 10; i++) remember(`c${i}`, `o${i}`)
    expect([...Array(10).keys()].filter((i) => memory.knows(`c${i}`))).toEqual([7, 8, 9])
    remember('big', 'x'.repeat(60_000))
    expect(memory.knows('c9')).toBe(false)
    expect(memory.knows('big')).toBe(true)
    for (let i = 0; i < 10; i++) memory.keep(`k${i}`, i)
    expect([memory.note('k6'), memory.note('k7')]).toEqual([undefined, 7])
  })

  it('names in the notice how to get the rest', () => {
    const history = historyOf(openai, { call_9: 'x'.repeat(9000) })
    const hint = 'Call recall("{id}") to see it.'
    const outcome = shrink(history, { dialect: openai, need: 1000, memory: shrinkMemory(), hint })
    expect(resultTexts(openai, outcome.history)['call_9']).toContain('Call recall("call_9") to see it.')
  })
})
