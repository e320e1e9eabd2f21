/**
 * The cases of an earlier compactor's test suite, with our outcome.
 */
import { describe, expect, it } from 'vitest'
import { type CompactOptions, compact, compactWith, plan, type SummaryRequest, summarizeBy } from '../../src/compact.ts'
import { lint } from '../../src/index.ts'

const user = (content: unknown) => ({ role: 'user', content })
const says = (content: unknown) => ({ role: 'assistant', content })
const words = (about: string, times = 60) => `${about} `.repeat(times)
const look = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: `{"path":"src/${id}.ts"}` } }],
})
const found = (id: string) => ({ role: 'tool', tool_call_id: id, content: words(`out of ${id}`) })
const talk = Array.from({ length: 10 }, (_, i) => [user(words(`Question ${i}`)), says(words(`Answer ${i}`))]).flat()
const options = (limit: number, more: Partial<CompactOptions> = {}): CompactOptions => ({
  provider: 'openai',
  model: 'gpt-4o',
  budget: { limit },
  strategies: { ladder: ['summary'] },
  ...more,
})
const isValid = (history: readonly unknown[]) =>
  lint(history, { provider: 'openai', model: 'gpt-4o' }).filter(({ severity }) => severity === 'error').length === 0

describe('session/compaction_test', () => {
  it.each([
    ['empty', []],
    ['single', [user('hi')]],
    ['too few messages', [user('hi'), says('hello')]],
    ['nothing when it fits', talk],
  ])('%s: the very same array', (_, history) => {
    const done = compact(history, options(100_000))
    expect(done.history).toBe(history)
    expect(done.plan.changesAnything).toBe(false)
  })

  it('summary header: the note tells that it replaces messages, and how many', () => {
    const { history, plan: made } = compact(talk, options(900))
    expect(made.changesAnything).toBe(true)
    expect(JSON.stringify(history[0])).toMatch(/earlier/i)
  })

  it('role counts: turns alternate after the cut as they did before it', () => {
    const { history } = compact(talk, options(900))
    const roles = history.map((message) => (message as { role: string }).role)
    expect(roles.some((role, i) => i > 0 && role === roles[i - 1] && role === 'assistant')).toBe(false)
    expect(isValid(history)).toBe(true)
  })

  it('cut starts with user', () => {
    const { history } = compact(talk, options(900))
    expect(history[0]).toMatchObject({ role: 'user' })
    expect(history.at(-1)).toEqual(talk.at(-1))
  })

  it('provider failure: nothing changes, and the reason is reported; messages are not cut without a summary', async () => {
    const summarize = async () => Promise.reject(new Error('503'))
    const done = await compactWith(talk, { ...options(900), summarize })
    expect(done.history).toEqual(talk)
    expect(done.plan.why.map(({ code }) => code)).toContain('summary-failed')
  })

  it('force keeps the last turn whole', () => {
    const { history } = compact(talk, options(100_000, { force: true }))
    expect(history.slice(-2)).toEqual(talk.slice(-2))
  })

  it('repeated compaction, and file operations accumulate: the second note has what the first one had', () => {
    const turn = (id: string) => [user(words(`Look at ${id}`)), look(id), found(id), says(words(`Seen ${id}`))]
    let history: readonly unknown[] = ['a', 'b', 'c', 'd'].flatMap(turn)
    for (const id of ['e', 'f', 'g']) {
      history = compact(history, options(1_000)).history
      expect(isValid(history)).toBe(true)
      history = [...history, ...turn(id)]
    }
    history = compact(history, options(1_000)).history
    for (const id of ['a', 'b', 'c', 'd', 'e']) expect(JSON.stringify(history)).toContain(`src/${id}.ts`)
  })

  it('update prompt on the second cycle: the previous summary is included, to be updated', async () => {
    const asked: SummaryRequest[] = []
    const summarize = summarizeBy({
      send: async (request) => {
        asked.push(request)
        return 'They spoke of ten things.'
      },
    })
    const strategies = { ladder: ['summary'], summary: { method: 'model', maxTokens: 150 } } as const
    const once = await compactWith(talk, { ...options(900, { strategies }), summarize })
    await compactWith([...once.history, ...talk], { ...options(900, { strategies }), summarize })
    expect(asked[0]!.prompt).not.toContain('The summary so far')
    expect(asked.at(-1)!.prompt).toContain('They spoke of ten things.')
  })

  it('split-turn: one endless turn is cut between rounds, and its request stays', () => {
    const giant = [
      user('Do all of it.'),
      ...Array.from({ length: 20 }, (_, i) => [look(`c${i}`), found(`c${i}`)]).flat(),
    ]
    const { history, plan: made } = compact(giant, options(900))
    expect(made.changesAnything).toBe(true)
    expect(JSON.stringify(history)).toContain('Do all of it.')
    expect(isValid(history)).toBe(true)
  })

  it('nil content: messages without content are accepted', () => {
    const history = [...talk, user('go'), look('x'), found('x'), says('done'), user('last')]
    expect(isValid(compact(history, options(900)).history)).toBe(true)
    expect(() => plan([user(null), says(undefined), ...talk], options(900))).not.toThrow()
  })

  it.each([0, 1, 10])('budget of %i: reported as too small, and never an empty history', (limit) => {
    const done = compact(talk, options(limit))
    expect(done.history.length).toBeGreaterThan(0)
    expect(done.plan.fits).toBe(false)
    expect(isValid(done.history)).toBe(true)
  })

  it('budget that is huge: nothing to do', () => {
    expect(compact(talk, options(Number.MAX_SAFE_INTEGER)).history).toBe(talk)
  })
})
