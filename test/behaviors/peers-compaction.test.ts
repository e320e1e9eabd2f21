/**
 * The measurements of other trimmers and compactors, repeated for ours: any budget, one giant turn, a corrupted tail, a
 * summarizer that fails, facts that must reach the summarizer, one huge message in the middle.
 */

import { describe, expect, it } from 'vitest'
import { judge } from '../../contract/judge.ts'
import { finish, type SummaryRequest, summarizeBy } from '../../src/compact.ts'
import { dialects } from '../../src/index.ts'
import { parseHistory } from '../../src/testing/index.ts'
import { notationOf } from '../shorthand.ts'
import { compact, compactWith, plan, repair } from '../untyped-api.ts'

const mains = [
  ['openai-chat', 'openai', 'chat', 'gpt-4o'],
  ['anthropic-messages', 'anthropic', 'messages', 'claude-sonnet-4-5'],
  ['openai-responses', 'openai-responses', 'responses', 'gpt-5.4'],
  ['gemini', 'gemini', 'gemini', 'gemini-2.5-flash'],
  ['bedrock-converse', 'bedrock', 'converse', 'us.anthropic.claude-sonnet-4-5-v1:0'],
] as const

/** Six turns of parallel and single calls: 42 messages. */
const valid = Array.from({ length: 6 }, (_, i) => `U A{a${i},b${i}} R(a${i}) R(b${i}) A{c${i}} R(c${i}) A`).join(' ')
const oneTurn = `U ${Array.from({ length: 20 }, (_, i) => `A{x${i}} R(x${i})`).join(' ')}`

describe.each(mains)('%s', (dialect, provider, endpoint, model) => {
  const key = dialects.find(({ id }) => id === dialect)!.key
  const wide = (history: readonly unknown[]): unknown[] =>
    JSON.parse(JSON.stringify(history), (name, value) =>
      typeof value === 'string' && ['text', 'content', 'output'].includes(name)
        ? `${value} ${'more words '.repeat(20)}.`
        : value,
    )
  const accepted = (history: readonly unknown[]) => {
    const declared = dialect === 'bedrock-converse' ? { toolConfig: { tools: [] } } : {}
    return judge({ provider, endpoint, model, body: { model, [key]: history, ...declared } })
  }
  const options = { provider, dialect, model }

  it.each(['drop', 'summary', 'clear'] as const)('%s: 0 of 176 budgets give something invalid', (strategy) => {
    const history = wide(repair(parseHistory(notationOf(`${valid} U`), dialect), options).value)
    let acted = 0
    for (let limit = 1; limit <= 176 * 18; limit += 18) {
      const done = compact(history, {
        ...options,
        budget: { limit },
        strategies: { ladder: [strategy], clear: { keepTokens: 50, minReclaimTokens: 1 } },
      })
      if (done.plan.changesAnything) acted++
      expect(accepted(done.history), `${strategy} ${limit}`).toEqual({ accepted: true })
    }
    if (strategy !== 'clear') expect(acted).toBeGreaterThan(20)
  })

  it('one turn of 20 rounds, budget under the turn: the request and the newest rounds', () => {
    const history = wide(repair(parseHistory(notationOf(oneTurn), dialect), options).value)
    const done = compact(history, { ...options, budget: { limit: 900 }, strategies: { ladder: ['summary'] } })
    expect(done.plan.why.map(({ code }) => code)).toContain('giant-turn')
    expect(accepted(done.history)).toEqual({ accepted: true })
    expect(JSON.stringify(done.history)).toContain('x19')
  })

  it('a corrupted tail is not passed through', () => {
    const history = wide(parseHistory(notationOf(`${valid} U A{open} U`), dialect))
    const done = compact(history, { ...options, budget: { limit: 800 }, strategies: { ladder: ['summary'] } })
    expect(done.plan.changesAnything).toBe(true)
    expect(accepted(done.history)).toEqual({ accepted: true })
  })
})

describe('summarizer', () => {
  const facts = Array.from({ length: 59 }, (_, i) => `fact ${i}: code ${(i * 7919) % 10_007}`)
  const history = facts.flatMap((fact) => [
    { role: 'user', content: `Remember ${fact}. ${'Some words around it. '.repeat(40)}` },
    { role: 'assistant', content: 'Noted.' },
  ])
  const options = { provider: 'openai', model: 'gpt-4o', budget: { limit: 2_000 } }

  it('all 59 facts that go reach the summarizer', async () => {
    let shown = ''
    const send = async ({ prompt }: SummaryRequest) => {
      shown = prompt
      return 'A summary.'
    }
    const done = await compactWith(history, { ...options, summarize: summarizeBy({ send }) })
    expect(done.plan.changesAnything).toBe(true)
    const stays = JSON.stringify(done.history)
    for (const fact of facts) expect(shown.includes(fact) || stays.includes(fact), fact).toBe(true)
    expect(facts.filter((fact) => shown.includes(fact)).length).toBeGreaterThan(45)
  })

  it('that throws leaves the history unchanged, and reports the error instead of summarizing it', async () => {
    const summarize = () => Promise.reject(new Error('429 rate limited'))
    const done = await compactWith(history, { ...options, summarize })
    expect(done.history).toBe(history)
    expect(done.plan.why.at(-1)?.code).toBe('summary-failed')
  })
})

describe('one huge message in the middle', () => {
  it('the kept messages are contiguous: no old message stays while a newer one goes', () => {
    const sizes = [20, 20, 20, 20, 9000, 20, 20, 20]
    const history = sizes.map((size, i) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: `m${i} ${'word '.repeat(size)}`,
    }))
    const found = plan(history, {
      provider: 'openai',
      model: 'gpt-4o',
      budget: { limit: 2000 },
      strategies: { ladder: ['summary'], summary: { method: 'model' } },
    })
    if (found.needs !== 'summary') throw new Error('no summary needed')
    const done = finish(found, 'short')
    expect(done.changesAnything).toBe(true)
    expect(done.steps[0]).toMatchObject({ from: 0, to: 6 })
  })
})
