/**
 * What two engines are compared on: the corpus where there is one, the same damaged, and random histories for every provider and dialect.
 */
import fc from 'fast-check'
import type { Target } from '../../bench/engine.ts'
import { type Random, seeded } from '../../bench/random.ts'
import { modelsOf } from '../../bench/subjects.ts'
import { dialects, providers } from '../../src/index.ts'
import { brokenHistory, validHistory } from '../../src/testing/arbitraries.ts'
import { bodyOf, dialectOf, providerOf, type Row, rowsOf } from '../../test/corpus.ts'
import { damagedNames, damagedRows } from '../../test/damaged-conversations.ts'

export interface Input {
  readonly source: 'corpus' | 'damaged' | 'random'
  /** A list, or a whole request body. */
  readonly history: unknown
  readonly target: Target & { readonly dialect: string }
}

export interface Extent {
  readonly runs: number
  readonly seed: number
}

export function* inputs(extent: Extent): Generator<Input> {
  yield* real(extent)
  yield* damaged(extent)
  for (const { id } of dialects) yield* random(id, extent)
}

const RECORDED = damagedNames.map((name) => `recorded-${name}`)
const CORPUS = [
  ...RECORDED,
  'recorded-rejections',
  'issues-broken',
  'measured-anthropic',
  'tau-openai-chat',
  'sweagent-openai-chat',
  'claude-code-anthropic',
  'codex-rollout-responses',
]

/** Each conversation for the provider that it was recorded from, and for one more that serves its dialect. */
function* real({ seed }: Extent): Generator<Input> {
  const pick = seeded(seed)
  for (const name of CORPUS) {
    for (const row of rowsOf(name)) {
      const dialect = dialectOf(row)
      const own = { provider: providerOf(row), dialect, model: row.model }
      yield { source: 'corpus', history: row.messages, target: own }
      if (RECORDED.includes(name)) yield { source: 'corpus', history: bodyOf(row), target: own }
      yield { source: 'corpus', history: row.messages, target: other(row, pick) }
    }
  }
}

function other(row: Row, pick: Random): Input['target'] {
  const dialect = dialectOf(row)
  const provider = pick.pick(servingOf(dialect))
  return { provider, dialect, model: pick.pick(modelsOf(provider)), ...mode(pick) }
}

function* damaged({ runs, seed }: Extent): Generator<Input> {
  const pick = seeded(seed)
  for (const name of damagedNames) {
    for (const { row, messages, provider, model } of damagedRows(name, runs * 5, seed))
      yield {
        source: 'damaged',
        history: messages,
        target: { provider, dialect: dialectOf(row), model, ...mode(pick) },
      }
  }
}

/** The same histories for every provider of a dialect, mostly broken ones, each with one of its models. */
function* random(dialect: string, { runs, seed }: Extent): Generator<Input> {
  const histories = [
    ...fc.sample(brokenHistory(dialect), { seed, numRuns: runs }),
    ...fc.sample(validHistory(dialect), { seed, numRuns: Math.ceil(runs / 5) }),
  ]
  for (const provider of [...servingOf(dialect), 'strictest']) {
    const pick = seeded(seed)
    for (const history of histories) {
      const model = pick.pick(modelsOf(provider))
      yield { source: 'random', history, target: { provider, dialect, model, ...mode(pick) } }
    }
  }
}

/** Mostly as by default: about to be sent, and only what is sure is repaired. */
function mode(pick: Random): Pick<Target, 'strict' | 'inProgress'> {
  return { ...(pick.chance(20) ? { strict: true } : {}), ...(pick.chance(15) ? { inProgress: true } : {}) }
}

function servingOf(dialect: string): string[] {
  return providers.filter(({ serves }) => serves.some((one) => one.dialect.id === dialect)).map(({ id }) => id)
}
