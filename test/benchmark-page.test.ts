/** The committed results: the pages show them, and our own row has no failure. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { subjects } from '../bench/subjects.ts'
import { coreFigures } from '../scripts/benchmarks/core-figures.ts'
import { type CostResults, figuresOf, merged, type Part } from '../scripts/benchmarks/cost-results.ts'
import { CURRENT, isCurrent } from '../scripts/benchmarks/current-models.ts'
import {
  cliFigures,
  type Figure,
  guardFigures,
  sessionFigures,
  sizeFigures,
  viewerFigures,
} from '../scripts/benchmarks/figures.ts'
import { placed, rendered } from '../scripts/benchmarks/page.ts'
import type { PeerResults } from '../scripts/benchmarks/peer-tables.ts'
import { ROWS, userRows } from '../scripts/benchmarks/user-rows.ts'
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
  expect(results.repair.broken).toBeGreaterThanOrEqual(2012)
  expect(Object.values(ours!.fourteen)).toEqual(Array.from({ length: 14 }, () => 'ok'))
  const { validChanged, read, sameBytes, resultsKept } = results.files.rows[0]!
  expect(validChanged.kept).toBe(0)
  for (const { kept, of } of [read, sameBytes, resultsKept]) expect(kept).toBe(of)
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
  const made = '    made of: 0.2 parse; µs: parse 429.1, and lint 300.0, bare 12.0, guarded 620.3'
  expect(
    guardFigures(`valid requests\n  100 kB ASCII: best 1.46, median 1.55 (bar 1.3: MISSED)\n${made}`),
  ).toContainEqual({
    group: 'guard',
    name: 'added to a request: 100 kB ASCII',
    value: 0.608,
    unit: 'ms',
  })
  expect(
    sizeFigures('     75.5 kB  missed (bar 56)            import { repair } from "suture" (245.1 kB minified)'),
  ).toMatchObject([{ name: 'import { repair } from "suture", minified and gzipped', value: 75.5, bar: 56 }])
  const line = 'sqlite full: append of 2 KB at 0.70 x the bare insert (70 µs bare, 100 µs ours) (bar: 0.60)'
  expect(sessionFigures(line)).toMatchObject([{ value: 0.7, bar: 0.6, better: 'higher' }])
  expect(sizeFigures('     61.5 kB  met (bar 70, stretch 60)            suture (200.1 kB minified)')).toMatchObject([
    { value: 61.5, bar: 70, unit: 'kB' },
  ])
  const again = [
    'doctor again / first run    0.111  bar 0.05  above the bar  (73 / 655 ms)',
    '  without the start    0.046  bar 0.05  ok  (28 / 610 ms)',
  ].join('\n')
  expect(cliFigures(again)).toMatchObject([
    { name: 'doctor again / first run', value: 0.111, bar: 0.05 },
    { name: 'doctor again / first run: without the start', value: 0.046, bar: 0.05 },
  ])
  const viewer =
    '20 MB session                first rows 900 ms, work per frame p50 1.2 p95 3.4 ms, 0 of 299 frames over 25 ms'
  expect(viewerFigures(viewer)).toMatchObject([{ value: 3.4, bar: 16, unit: 'ms' }])
})

it('measures every provider with a current model', () => {
  const shown = subjects.filter(({ provider, dialect, model }) => isCurrent(provider, dialect, model))
  expect(shown).toHaveLength(Object.values(CURRENT).flat().length)
  // What Azure, GitHub and others serve of another one in its own dialect is in "worst of all models".
  const providers = new Set(shown.map(({ provider }) => provider))
  expect([...new Set(subjects.map(({ provider }) => provider))].filter((one) => !providers.has(one))).toEqual([])
})

it('lists the core by provider and model, worst row first, and names the worst of all', () => {
  const row = (model: string, ratio: number, part = 'lint') => ({
    part,
    provider: 'anthropic',
    dialect: 'anthropic-messages',
    model,
    ratio,
    note: 'repair, own ids, 100 messages, 3 ms',
  })
  const rows = [row('claude-opus-4-6', 0.4), row('claude-opus-5-5', 0.7), row('claude-3-5-haiku-latest', 0.9)]
  const bars = { lint: { title: 'lint', bar: 0.5 }, growth: { title: 'growth', bar: 12 } }
  expect(coreFigures([...rows, row('claude-opus-4-6', 9, 'growth')], bars)).toMatchObject([
    { name: 'lint: worst row', value: 0.9, note: expect.stringContaining('claude-3-5-haiku-latest; 3 rows') },
    { name: 'anthropic, anthropic-messages, claude-3-5-haiku-latest', column: 'lint', value: 0.9, bar: 0.5 },
    { name: 'anthropic, anthropic-messages, claude-opus-5-5', column: 'lint', value: 0.7, bar: 0.5 },
    { name: 'anthropic, anthropic-messages, claude-opus-4-6', column: 'lint', value: 0.4 },
    { name: 'anthropic-messages', column: 'growth, repair, own ids', value: 9, bar: 12 },
  ])
})

it('the page has at most 30 rows of costs, each with a figure unless a part was not measured', () => {
  const wanted = Object.values(ROWS).flat()
  expect(wanted.length).toBeLessThanOrEqual(30)
  const shown = userRows(figuresOf(cost!)).length
  if (cost!.missing.length === 0) expect(shown).toBe(wanted.length)
  else expect(shown).toBeGreaterThan(15)
})

it('of several figures a row shows the worst', () => {
  const figure = (name: string, value: number, rest: Partial<Figure> = {}): Figure => ({
    group: 'gateway',
    name,
    value,
    ...rest,
  })
  const rows = userRows([
    figure('valid, × a proxy that parses: a 2 kB', 0.9, { better: 'higher' }),
    figure('valid, × a proxy that parses: b 2 kB', 0.5, { better: 'higher' }),
    figure('streams: added to the first byte', 0.3, { unit: 'ms' }),
  ])
  expect(rows.map(({ cost }) => cost)).toEqual(['0.5 ×', '0.3 ms'])
})

it('keeps the parts that were not measured again', () => {
  const part = (name: string, commit: string) => ({ name, commit, figures: [] }) as unknown as Part
  const before = { parts: [part('size', 'old'), part('core', 'old')], missing: ['guard: failed'] }
  const now = { parts: [part('core', 'new'), part('guard', 'new')], missing: [] }
  const { parts, missing } = merged(before, now, ['size', 'core', 'guard', 'viewer'])
  expect(parts.map(({ name, commit }) => `${name} ${commit}`)).toEqual(['size old', 'core new', 'guard new'])
  expect(missing).toEqual([])
})
