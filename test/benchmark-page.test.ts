/** The committed results: the pages show them, and our own row has no failure. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Figure } from '../scripts/benchmarks/figures.ts'
import { guardFigures, sessionFigures, sizeFigures } from '../scripts/benchmarks/figures.ts'
import { type CostResults, placed, rendered } from '../scripts/benchmarks/page.ts'
import type { PeerResults } from '../scripts/benchmarks/peer-tables.ts'
import { worseFigures } from '../scripts/benchmarks/worse.ts'

const results = JSON.parse(readFileSync('bench/results/peers.json', 'utf8')) as PeerResults
const cost = existsSync('bench/results/cost.json')
  ? (JSON.parse(readFileSync('bench/results/cost.json', 'utf8')) as CostResults)
  : undefined
const page = rendered(results, cost)

it.each([
  ['docs/benchmarks.md', page.benchmarks],
  ['README.md', page.readme],
])('%s shows the committed results', (file, text) => {
  const now = readFileSync(file, 'utf8')
  expect(placed(now, text, file)).toBe(now)
})

it.each(Object.entries(page.images))('%s shows the committed results', (name, image) => {
  expect(readFileSync(`docs/images/${name}`, 'utf8')).toBe(image)
})

it('our own rows have no failure', () => {
  const [ours] = results.repair.rows
  expect(ours).toMatchObject({ name: 'suture', threw: 0, failures: [] })
  const { outputs, calls, texts, idempotent, validUnchanged, pendingLeft, accepted } = ours!
  for (const { kept, of } of [
    outputs,
    calls,
    texts,
    idempotent,
    validUnchanged,
    pendingLeft,
    ...Object.values(accepted),
  ])
    expect(kept).toBe(of)
  expect(results.repair.broken).toBeGreaterThanOrEqual(2014 - 2)
  expect(results.files.rows[0]!.validChanged.kept).toBe(0)
  for (const row of results.compaction.rows.filter(({ name }) => name.startsWith('suture')))
    expect([row.valid.kept, row.broken.kept, row.silentlyOver]).toEqual([row.valid.of, row.broken.of, 0])
})

it('reports a ratio that got worse by a quarter, and no other', () => {
  const figure = (value: number, rest: Partial<Figure> = {}): Figure => ({
    group: 'guard',
    name: 'valid',
    value,
    ...rest,
  })
  expect(worseFigures([figure(1)], [figure(1.3)])).toEqual(['Worse: guard, valid: 1 before, 1.3 now (30 % worse)'])
  expect(worseFigures([figure(1)], [figure(1.2)])).toEqual([])
  expect(worseFigures([figure(1)], [figure(0.5)])).toEqual([])
  expect(worseFigures([figure(1, { better: 'higher' })], [figure(0.7, { better: 'higher' })])).toHaveLength(1)
  expect(worseFigures([figure(1, { unit: 'ms' })], [figure(9, { unit: 'ms' })])).toEqual([])
})

it('reads what the benches print', () => {
  expect(guardFigures('valid requests\n  100 kB ASCII: best 1.46, median 1.55 (bar 1.3: MISSED)')).toEqual([
    { group: 'guard', name: 'valid requests: 100 kB ASCII', value: 1.55, bar: 1.3 },
  ])
  const line = 'sqlite full: append of 2 KB at 0.70 x the bare insert (70 µs bare, 100 µs ours) (bar: 0.60)'
  expect(sessionFigures(line)).toMatchObject([{ value: 0.7, bar: 0.6, better: 'higher' }])
  expect(sizeFigures('     61.5 kB  met (bar 70, stretch 60)            suture (200.1 kB minified)')).toMatchObject([
    { value: 61.5, bar: 70, unit: 'kB' },
  ])
})
