/**
 * Real conversations at budgets from one round to the whole, every strategy; and the token estimate against a real
 * tokenizer.
 */

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { type Dialect, dialects } from '../src/index.ts'
import { estimateTokens } from '../src/strategies/estimate.ts'
import { counterFor } from '../src/strategies/token-counts.ts'
import { brokenCompaction, ladders, strategiesFor } from './compact-promises.ts'
import { dialectOf, hasCorpus, providerOf, type Row, rowsOf } from './corpus.ts'
import { skippable } from './skip-reasons.ts'
import { compact, repair } from './untyped-api.ts'

const files = [
  'tau-openai-chat',
  'recorded-openai-chat',
  'recorded-openai-responses',
  'claude-code-anthropic',
  'recorded-anthropic',
  'recorded-gemini',
  'recorded-bedrock-converse',
  'sweagent-openai-chat',
]
const shares = [2, 10, 30, 60, 95]

describe.skipIf(!hasCorpus)(
  skippable('real conversations', !hasCorpus && 'no corpus; set SUTURE_CORPUS to its folder'),
  () => {
    it.each(files)('%s: every strategy, at budgets from one round to the whole', (name) => {
      const all = rowsOf(name)
      const every = all.length > 60 ? Math.ceil(all.length / 16) : 1
      const rows = all.filter((_, i) => i % every === 0)
      let acted = 0
      rows.forEach((row, i) => {
        const dialect = dialects.find(({ id }) => id === dialectOf(row))!
        const history = repaired(row, dialect)
        const total = sizeOf(history, dialect)
        shares.forEach((share, k) => {
          const ladder = ladders[(i + k) % ladders.length]!
          const limit = Math.max(1, Math.floor((total * share) / 100))
          const options = { ...targetOf(row), budget: { limit }, strategies: strategiesFor(ladder) }
          const broken = brokenCompaction({ history, dialect, options })
          if (broken === true) acted++
          expect(typeof broken === 'string' ? broken : '', `${name} ${row.id} ${ladder} ${share} %`).toBe('')
        })
      })
      expect(acted).toBeGreaterThan(0)
    })

    it('the estimate is within a tenth of o200k over each part of the corpus', () => {
      for (const name of files) {
        const texts = rowsOf(name)
          .filter((_, i) => i % 12 === 0)
          .slice(0, 12)
          .flatMap((row) => textsIn(row))
        expect(off(texts), name).toBeLessThan(0.1)
      }
    })
  },
)

describe('the estimate against o200k', () => {
  const samples: Readonly<Record<string, string>> = {
    English:
      'The committee met on Tuesday to discuss the budget for the coming year. Several members asked whether the repairs to the old bridge could wait until spring, since the contractor had raised his price twice. No one objected, and the chair promised to report back within a month.',
    code: 'export function invert(patch: Patch): Patch {\n  return patch.map(undo).reverse()\n}\n\nfunction lookUp(table: Map<string, number>, key: string): number {\n  const found = table.get(key)\n  if (found === undefined) throw new Error(`There is no ${key}.`)\n  return found\n}\n',
    JSON: JSON.stringify(
      {
        id: 4711,
        name: 'Widget',
        price: 12.5,
        tags: ['new', 'sale'],
        size: { width: 10, height: 22 },
        active: true,
        notes: null,
        seller: { name: 'Acme', city: 'Berlin' },
      },
      null,
      2,
    ),
    Chinese:
      '他昨天去了北京,准备参加一个关于人工智能的会议。会议上有很多专家发表了演讲,大家讨论了未来的发展方向,并且决定明年继续合作。',
    Japanese:
      '昨日、友達と一緒に映画を見に行きました。とても面白かったので、また見たいと思います。来週は図書館で本を借りる予定です。',
    Korean:
      '이 함수는 두 개의 인수를 받아 그 합을 반환합니다. 인수가 없으면 오류가 발생하고 프로그램이 종료됩니다. 설정 파일을 확인하십시오.',
  }
  it.each(Object.entries(samples))('%s', (_name, text) => {
    // A few sentences are little to go by: a tenth holds for a page, which the corpus and the bench measure.
    expect(off([text.repeat(4)])).toBeLessThan(0.2)
  })

  it('is cached by message, and can be replaced by any function', () => {
    let asked = 0
    const estimate = (text: string) => {
      asked++
      return text.length
    }
    const history = [
      { role: 'user', content: 'a'.repeat(300) },
      { role: 'assistant', content: 'b' },
    ]
    const options = { provider: 'openai', model: 'gpt-4o', estimate } as const
    expect(compact(history, options).plan.tokens.before).toBeGreaterThan(300)
    const before = asked
    compact(history, options)
    expect(asked).toBe(before)
  })
})

function off(texts: readonly string[]): number {
  let estimated = 0
  let real = 0
  for (const text of texts) {
    estimated += estimateTokens(text)
    real += countTokens(text, { disallowedSpecial: new Set() })
  }
  return Math.abs(estimated / real - 1)
}

function targetOf(row: Row) {
  const provider = providerOf(row)
  return { provider, dialect: dialectOf(row), ...(typeof row.model === 'string' ? { model: row.model } : {}) }
}

/** Some recordings are of failures; a compaction starts from what would be sent. */
function repaired(row: Row, dialect: Dialect): readonly unknown[] {
  const { provider, model } = targetOf(row)
  return repair(row.messages as readonly unknown[], {
    provider,
    dialect: dialect.id,
    ...(model ? { model } : {}),
  }).value
}

function sizeOf(history: readonly unknown[], dialect: Dialect): number {
  return counterFor(dialect, estimateTokens).sum(history)
}

function textsIn(row: Row): string[] {
  const texts: string[] = []
  const stack: [string, unknown][] = [['', row.messages]]
  while (stack.length > 0) {
    const [key, value] = stack.pop()!
    if (
      typeof value === 'string' &&
      value.length < 100_000 &&
      /^(?:text|content|output|arguments|input|thinking)$/.test(key)
    )
      texts.push(value)
    else if (Array.isArray(value)) for (const one of value) stack.push([key, one])
    else if (typeof value === 'object' && value !== null)
      for (const [k, one] of Object.entries(value)) stack.push([k, one])
  }
  return texts
}
