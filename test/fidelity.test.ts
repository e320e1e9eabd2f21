/**
 * What the kit breaks, repair makes acceptable, and nothing is lost: for every class, dialect and provider, on real and
 * random conversations. `npm run fidelity` runs the same on many more.
 */

import { describe, expect, it } from 'vitest'
import { corruptions } from '../src/testing/corruptions/index.ts'
import { hasCorpus } from './corpus.ts'
import { failureOf, trialOf } from './fidelity.ts'
import { runsOf } from './long-runs.ts'
import { skippable } from './skip-reasons.ts'
import { lint, repair } from './untyped-api.ts'

const seed = Number(process.env['SUTURE_SEED'] ?? 7_000_000)

describe(skippable('corrupted conversations', !hasCorpus && 'no corpus; only random conversations are used'), () => {
  it('has at least 26 classes, each with its own id and a source', () => {
    expect(new Set(corruptions.map(({ id }) => id)).size).toBe(corruptions.length)
    expect(corruptions.length).toBeGreaterThanOrEqual(26)
    for (const { source } of corruptions) expect(source).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/)
  })

  it.each(corruptions.map(({ id }) => id))('%s', (corruption) => {
    const runs = runsOf(40, 600)
    for (let i = 0; i < runs; i++) {
      const trial = trialOf(seed + i, { corruption })
      const failure = trial && failureOf(trial)
      expect(failure && { ...failure, seed: seed + i, provider: trial.provider, from: trial.from }).toBeUndefined()
    }
  })
})

describe('accepted shapes that were called errors', () => {
  it('Anthropic on Bedrock: a user text after a message of results', () => {
    const history = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'run', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'done' }] },
      { role: 'user', content: 'and?' },
    ]
    const options = { provider: 'bedrock', dialect: 'anthropic-messages' } as const
    expect(lint(history, options)).toEqual([])
    expect(repair(history, options).value).toBe(history)
  })
})

describe('stable prefixes for empty content', () => {
  it.each([
    ['openai', 'openai-chat', [{ role: 'user', content: null }]],
    ['anthropic', 'anthropic-messages', [{ role: 'user', content: null }]],
    ['gemini', 'gemini', [{ role: 'user', parts: null }]],
    ['bedrock', 'bedrock-converse', [{ role: 'user', content: null }]],
    ['openai-responses', 'openai-responses', [{ role: 'user', content: null }]],
    ['mistral', 'openai-chat', [{ role: 'user', content: null }]],
  ])('%s, %s', (provider, dialect, history) => {
    const options = { provider, dialect }
    const before = repair(history, options).value
    const answer =
      dialect === 'gemini' ? { role: 'model', parts: [{ text: 'ok' }] } : { role: 'assistant', content: 'ok' }
    const last = dialect === 'bedrock-converse' ? { role: 'assistant', content: [{ text: 'ok' }] } : answer
    const after = repair([...history, last, ...history], options).value
    expect(after.slice(0, before.length)).toEqual(before)
  })

  it.each(['openai', 'anthropic', 'mistral'])('%s: a user message is appended', (provider) => {
    const history = [{ role: 'user', content: null }]
    const before = repair(history, { provider }).value
    const after = repair([...history, { role: 'user', content: 'hello' }], { provider }).value
    expect(after.slice(0, before.length)).toEqual(before)
  })
})
