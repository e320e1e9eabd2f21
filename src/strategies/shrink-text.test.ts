/** Texts and JSON cut to a size: what they promise for any text and any room. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../test/long-runs.ts'
import { cutJson, isJson } from './shrink-json.ts'
import { byBytes, cutText, fit } from './shrink-text.ts'

const SEED = 20261116
const runs = { seed: SEED, numRuns: runsOf(150, 400) }
const text = fc.string({ unit: 'binary', maxLength: 400 })
const long = fc.array(text, { maxLength: 12 }).map((texts) => texts.join('\n'))
const json = fc
  .oneof(
    fc.array(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), { maxLength: 30 }),
    fc.dictionary(fc.string(), fc.oneof(long, fc.jsonValue({ maxDepth: 4 }), fc.array(long)), { maxKeys: 30 }),
  )
  .chain((value) => fc.constantFrom(0, 2).map((indent) => JSON.stringify(value, undefined, indent)))

describe(`a text cut to a size (seed ${SEED})`, () => {
  it('fits the size, is not longer than before and splits no character', () => {
    fc.assert(
      fc.property(long, fc.nat(600), fc.constantFrom('', 'Ask again.'), (given, room, hint) => {
        const cut = cutText(given, room, hint)
        expect(cut.length).toBeLessThanOrEqual(Math.min(room, given.length))
        expect(cut.isWellFormed()).toBe(given.isWellFormed() || cut.isWellFormed())
        expect(cutText(cut, room, hint)).toBe(cut)
      }),
      runs,
    )
  })

  it('is within the limit by any measure, and the same each time', () => {
    const measures = fc.constantFrom(
      byBytes,
      (given: string) => given.length,
      (given: string) => given.split(/\s/).length,
      (given: string) => (given === '' ? 0 : 7),
    )
    fc.assert(
      fc.property(long, fc.nat(300), measures, (given, limit, measure) => {
        const cut = fit(given, limit, measure, (room) => cutText(given, room, 'Ask again.'))
        expect(measure(cut) <= limit || cut === '').toBe(true)
        expect(cut.length).toBeLessThanOrEqual(given.length)
        expect(fit(given, limit, measure, (room) => cutText(given, room, 'Ask again.'))).toBe(cut)
      }),
      runs,
    )
  })

  it('tells how much was left out, and how to get it', () => {
    const cut = cutText('x'.repeat(5000), 600, 'Ask again.')
    const [, left] = /\[… (\d+) of 5000 characters left out\. Ask again\. …\]/.exec(cut)!
    expect(cut.replace(/\[….*…\]/, '').length).toBe(5000 - Number(left))
  })

  it('counts bytes as UTF-8 has them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (given) => {
        expect(byBytes(given)).toBe(Math.ceil(new TextEncoder().encode(given).length / 4))
      }),
      runs,
    )
  })
})

describe(`JSON cut to a size (seed ${SEED})`, () => {
  it('stays JSON of its kind, is within the room and divides no character', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 2, max: 3000 }), (given, room) => {
        const cut = cutJson(given, room, 'Ask again.')
        expect(cut.length).toBeLessThanOrEqual(Math.min(room, given.length))
        expect(Array.isArray(JSON.parse(cut))).toBe(Array.isArray(JSON.parse(given)))
        if (given.isWellFormed()) expect(cut.isWellFormed()).toBe(true)
        expect(cutJson(cut, room, 'Ask again.')).toBe(cut)
      }),
      runs,
    )
  })

  it('loses the middle of its longest list and of its largest string, and nothing else', () => {
    const given = JSON.stringify({
      id: 7,
      log: Array.from({ length: 500 }, (_, i) => `line ${i}`),
      note: 'short',
      body: 'b'.repeat(9000),
    })
    const cut = JSON.parse(cutJson(given, 2000, 'Ask again.'))
    expect(cut.id).toBe(7)
    expect(cut.note).toBe('short')
    expect(cut.log[0]).toBe('line 0')
    expect(cut.log.at(-1)).toBe('line 499')
    expect(cut.log.find((line: string) => line.startsWith('[…'))).toMatch(/of 500 items left out/)
    expect(cut.body).toMatch(/of 9000 characters left out/)
  })

  it('keeps the bytes of what it keeps: numbers that no double can hold', () => {
    const given = `{"id": 12345678901234567890, "price": 1.00, "text": ${JSON.stringify('t'.repeat(4000))}}`
    const cut = cutJson(given, 500, '')
    expect(cut).toContain('"id": 12345678901234567890')
    expect(cut).toContain('"price": 1.00')
  })

  it('cuts JSON inside a string as JSON', () => {
    const given = JSON.stringify({ output: JSON.stringify({ rows: Array.from({ length: 900 }, (_, i) => ({ i })) }) })
    const cut = JSON.parse(cutJson(given, 1200, ''))
    expect(JSON.parse(cut.output).rows.length).toBeGreaterThan(5)
  })

  it('handles a list that is nested ten thousand levels deep', () => {
    const given = '['.repeat(10_000) + ']'.repeat(10_000)
    expect(isJson(given)).toBe(true)
    expect(JSON.parse(cutJson(given, 300, ''))).toBeInstanceOf(Array)
  })
})
