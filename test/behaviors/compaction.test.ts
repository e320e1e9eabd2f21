/**
 * Cases of earlier compactors, with a reason where our outcome differs.
 * Ids in brackets number the cases of earlier agents' test suites, so that none gets lost; each title describes its
 * case.
 */
import { describe, expect, it, vi } from 'vitest'
import {
  budgetOf,
  CircuitBreaker,
  type CompactOptions,
  compact,
  compacted,
  compactWith,
  dropOldest,
  finish,
  plan,
  type SummaryInput,
  type SummaryRequest,
  summarizeBy,
  windowOf,
} from '../../src/compact.ts'
import { apply, dialects, lint } from '../../src/index.ts'

const chat = dialects.find(({ id }) => id === 'openai-chat')!
const user = (content: string) => ({ role: 'user', content })
const says = (content: string) => ({ role: 'assistant', content })
const calls = (...ids: string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: `{"path":"src/${id}.ts"}` },
  })),
})
const result = (id: string, content = `out of ${id} `.repeat(60)) => ({ role: 'tool', tool_call_id: id, content })
const words = (about: string, times = 60) => `${about} `.repeat(times)

const openai = (budget: CompactOptions['budget'], more: Partial<CompactOptions> = {}): CompactOptions => ({
  provider: 'openai',
  model: 'gpt-4o',
  ...(budget ? { budget } : {}),
  ...more,
})
const summary = { ladder: ['summary'] } as const
/** Ten plain turns, about 150 tokens a message. */
const talk = Array.from({ length: 10 }, (_, i) => [user(words(`Question ${i}`)), says(words(`Answer ${i}`))]).flat()
const giant = [user('Do all of it.'), ...Array.from({ length: 20 }, (_, i) => [calls(`c${i}`), result(`c${i}`)]).flat()]
const codes = (one: { why: readonly { code: string }[] }) => one.why.map(({ code }) => code)
const textIn = (history: unknown) => JSON.stringify(history)

describe('token counts', () => {
  it('the last usage report plus later messages, never a sum of totals [BD7, U16]', () => {
    const history = [user('a'), says('b'), user('c'), says('d'), user('e')]
    const { tokens } = plan(history, openai(undefined, { usage: { input: 30_000, output: 10, messages: 4 } }))
    expect(tokens.before).toBeGreaterThanOrEqual(30_010)
    expect(tokens.before).toBeLessThan(30_030)
    expect(tokens.reported).toBe(true)
  })

  it('a report of zeros is ignored [BD8]', () => {
    const { tokens } = plan(talk, openai(undefined, { usage: { input: 0, output: 0 } }))
    expect(tokens.before).toBeGreaterThan(1000)
    expect(tokens.reported).toBe(false)
  })

  it('windows are found after router prefixes and in each spelling of a version [BD9]', () => {
    for (const name of [
      'openrouter/anthropic/claude-sonnet-4.6',
      'us.anthropic.claude-sonnet-4-6-v1:0',
      'claude-3-5-haiku-latest',
    ])
      expect(windowOf(name), name).toBe(200_000)
    expect(windowOf('openrouter/openai/gpt-4.1-mini')).toBe(1_047_576)
    expect(windowOf('models/gemini-2.5-flash')).toBe(1_048_576)
    expect(windowOf('azure/gpt-4o')).toBe(128_000)
    expect(windowOf('no-such-model')).toBe(128_000)
  })

  it('overflow: the window of the model, each field overridden separately', () => {
    const at = (model: string, options = {}) => budgetOf(model, options).limit
    expect(at('gpt-4o-mini')).toBe(67_200)
    expect(at('claude-sonnet-4-5')).toBe(110_400)
    expect(at('unlisted')).toBe(67_200)
    expect(at('gpt-4o', { window: 40_000 })).toBe(14_400)
    expect(at('gpt-4o', { reserve: 28_000, trigger: 0.5 })).toBe(50_000)
    expect(at('gpt-4o', { limit: 7 })).toBe(7)
    expect(() => budgetOf('gpt-4o', { trigger: Number.NaN })).toThrow(expect.objectContaining({ code: 'bad-option' }))
  })

  it.each([
    ['gpt-4o-mini', 100_000, true],
    ['gpt-4o-mini', 50_000, false],
    ['claude-sonnet-4-5', 100_000, false],
    ['claude-sonnet-4-5', 160_000, true],
    ['gpt-4.1', 500_000, false],
    ['unknown', 100_000, true],
  ])('overflow: %s at %d tokens is due: %s', (model, input, due) => {
    const found = plan([user('a'), says('b')], { provider: 'openai', model, usage: { input } })
    expect(codes(found).includes('due')).toBe(due)
  })

  it('overflow: the limit itself is due, one below is not [B13]', () => {
    const input = budgetOf('gpt-4o').limit
    const at = (count: number) =>
      plan([user('a'), says('b')], { ...openai(undefined), usage: { input: count, messages: 2 } })
    expect(codes(at(input))).toContain('due')
    expect(codes(at(input - 1))).toEqual(['fits'])
  })
})

describe('position of the cut', () => {
  it('the tail starts with a prompt, and no prompt goes with the answer before it [BT1, BT2, GT3]', () => {
    const done = compact(talk, openai({ limit: 900 }, { strategies: summary }))
    expect(done.plan.changesAnything).toBe(true)
    expect(done.history[1]).toMatchObject({ role: 'user', content: expect.stringMatching(/^Question/) })
    expect(done.plan.fits).toBe(true)
  })

  it('one endless turn is cut at a round, and its request stays [BT3, BD12, GT8]', () => {
    const done = compact(giant, openai({ limit: 900 }, { strategies: summary }))
    expect(codes(done.plan)).toContain('giant-turn')
    expect(done.history[1]).toBe(giant[0])
    expect(done.plan.tokens.after).toBeLessThanOrEqual(900)
    expect(lint(done.history, { provider: 'openai' })).toEqual([])
  })

  it('a history that fits is returned as the same array, with any setting [BT4, BT5, BD10]', () => {
    for (const keepRounds of [0, 1, 100]) {
      const done = compact(talk, openai({ limit: 1e9 }, { strategies: { ...summary, keepRounds } }))
      expect(done.history).toBe(talk)
      expect(codes(done.plan)).toEqual(['fits'])
    }
  })

  it('two messages that are too large are reported, and nothing loops [OD14]', () => {
    const history = [user(words('huge', 500)), says('b')]
    const done = compact(history, openai({ limit: 50 }, { strategies: summary }))
    expect(done.history).toBe(history)
    expect(codes(done.plan)).toContain('no-place-to-cut')
  })

  it('at every budget no half pair is left [BD11, OD15, LD20, LD21, GT11]', () => {
    const history = [...giant, says('done'), user('next'), calls('x', 'y'), result('x'), result('y'), says('z')]
    for (let limit = 1; limit < 3000; limit += 29) {
      for (const ladder of [['drop'], ['summary']] as const) {
        const done = compact(history, openai({ limit }, { strategies: { ladder } }))
        expect(lint(done.history, { provider: 'openai' }), `${ladder} ${limit}`).toEqual([])
      }
    }
  })

  it('what the API gave as one answer stays together [GT4, GT12]', () => {
    const think = {
      id: 'm1',
      role: 'assistant',
      content: [{ type: 'thinking', thinking: words('hm'), signature: 'EqQBc2ln' }],
    }
    const call = { id: 'm1', role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 't', input: {} }] }
    const answer = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] }
    const history = [...talk, user('go'), think, call, answer]
    const done = compact(history, {
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      budget: { limit: 500 },
      strategies: summary,
    })
    expect(done.plan.changesAnything).toBe(true)
    // The repair removes fields of the answer (`id`), so the two are found by their content.
    expect(textIn(done.history)).toContain('"thinking"')
    expect(textIn(done.history)).toContain('"tool_use"')
  })

  it('ADK 4740: a call that waits is neither cut off nor answered', () => {
    const history = [...talk, user('go'), calls('p')]
    const done = compact(history, openai({ limit: 300 }, { strategies: summary, inProgress: true }))
    expect(done.plan.changesAnything).toBe(true)
    expect(done.history.at(-1)).toBe(history.at(-1))
  })
})

describe('oldest rounds', () => {
  const count = () => 200
  it('with one round there is nothing to drop [GT6]', () => {
    expect(dropOldest([user('a'), says('b')], chat, { count })).toBeUndefined()
  })

  it('a fifth if the window is unknown [GT7]', () => {
    const rest = dropOldest(talk, chat, { count })
    expect(rest).toEqual(talk.slice(4))
  })

  it('as many as the gap asks, and at least one is kept [GT8, GT9]', () => {
    const five = talk.slice(0, 10)
    expect(dropOldest(five, chat, { tokens: 500, count })).toEqual(talk.slice(4, 10))
    expect(dropOldest(talk.slice(0, 4), chat, { tokens: 999_999, count })).toEqual(talk.slice(2, 4))
  })

  it('a rest that starts with the assistant gets the user before it [GT10]', () => {
    const rest = dropOldest(giant, chat, { count })!
    expect(rest[0]).toMatchObject({ role: 'user' })
    expect(rest[1]).toMatchObject({ role: 'assistant' })
  })
})

describe('summaries', () => {
  const asked = openai({ limit: 900 }, { strategies: { ladder: ['summary'], summary: { maxTokens: 150 } } })
  const ask = (more: Partial<CompactOptions> = {}) =>
    plan(talk, { ...asked, ...more, strategies: { ladder: ['summary'], summary: { method: 'model', maxTokens: 150 } } })

  it('a plan that needs a summary changes nothing until it is finished', () => {
    const found = ask()
    expect(found).toMatchObject({ needs: 'summary', changesAnything: false, patch: [] })
    const done = compacted(talk, finish(found, 'They talked about ten questions.'))
    expect(textIn(done.history)).toContain('They talked about ten questions.')
    expect(apply(done.history, done.undo)).toEqual(talk)
  })

  it.each([
    ['an empty summary [BD5]', '', 'summary-empty'],
    ['a blank summary [BD5]', ' \n\t', 'summary-empty'],
    ['a refusal of the model', "I'm sorry, I can't help with that.", 'summary-refused'],
    ['a summary that is too long', 'word '.repeat(5000), 'larger'],
  ])('%s changes nothing, and the reason is reported', (_id, text, code) => {
    const done = finish(ask(), text)
    expect(done.changesAnything).toBe(false)
    expect(done.patch).toEqual([])
    expect(codes(done)).toContain(code)
  })

  it('without a prior summary the request has no section for one, and asks to summarize [BT10]', async () => {
    const request = await requestFor(ask())
    expect(request.prompt).not.toContain('The summary so far')
    expect(request.prompt).toMatch(/Summarize what happened/)
  })

  it('a prior summary goes in wherever it came from, each fact verbatim [BT11, BD6, U9]', async () => {
    const facts = 'Zürich gate B42; 価格は3200円; order #A-77'
    const byOption = await requestFor(ask({ prior: facts }))
    expect(byOption.prompt).toContain(facts)
    expect(byOption.prompt.indexOf(facts)).toBeLessThan(byOption.prompt.indexOf('Question 0'))
    expect(byOption.prompt + byOption.system).toMatch(/superset[\s\S]*preserve/)
    const once = compacted(talk, finish(ask(), facts))
    const more = [...once.history, ...talk]
    const again = plan(more, {
      ...asked,
      strategies: { ladder: ['summary'], summary: { method: 'model', maxTokens: 150 } },
    })
    expect(again.needs).toBe('summary')
    const request = await requestFor(again)
    expect(request.prompt).toContain(facts)
    // The note itself is not summarized a second time.
    expect(request.prompt).not.toContain('earlier-conversation')
  })

  it('a blank earlier summary is ignored [BT12]', async () => {
    expect((await requestFor(ask({ prior: '  \n' }))).prompt).not.toContain('The summary so far')
  })

  it('O21, opencode 50814: the request is text, marked as data, without notation a model could imitate', async () => {
    const found = plan([...giant, user('and now')], {
      ...openai({ limit: 700 }),
      strategies: { ladder: ['summary'], summary: { method: 'model' } },
    })
    const { prompt } = await requestFor(found)
    expect(prompt).toContain('The assistant had the tool "look" run.')
    expect(prompt).not.toMatch(/tool_calls|tool_use|function_call|\[Assistant tool call\]/)
    expect(prompt).toMatch(/as data:\n<messages>/)
  })

  it('an overflow of the summarizer is tried again without the oldest rounds, a few times', async () => {
    const sizes: number[] = []
    const send = vi.fn(async ({ prompt }: SummaryRequest) => {
      sizes.push(prompt.length)
      throw new Error('prompt is too long')
    })
    const done = await compactWith(talk, { ...asked, summarize: summarizeBy({ send }) })
    expect(send).toHaveBeenCalledTimes(4)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(done.history).toBe(talk)
    expect(codes(done.plan)).toContain('summary-failed')
  })

  it('langchain 38867: a summarizer that fails leaves the history alone', async () => {
    const summarize = async () => {
      throw new Error('429')
    }
    const done = await compactWith(talk, { ...asked, summarize })
    expect(done.history).toBe(talk)
    expect(done.patch).toEqual([])
  })
})

describe('around the summarizer', () => {
  const asked = openai({ limit: 900 }, { strategies: { ladder: ['summary'], summary: { maxTokens: 150 } } })

  it('calls for one key share one run; after it has settled there is a fresh one [BT6, BT7]', async () => {
    const summarize = vi.fn(async () => 'A summary.')
    const breaker = new CircuitBreaker()
    const found = plan(talk, { ...asked, strategies: { ladder: ['summary'], summary: { method: 'model' } } })
    const first = breaker.finish('a', found, summarize)
    expect(breaker.finish('a', found, summarize)).toBe(first)
    await first
    await breaker.finish('a', found, summarize)
    expect(summarize).toHaveBeenCalledTimes(2)
  })

  it('two conversations, two runs [BT8]', async () => {
    const breaker = new CircuitBreaker()
    const summarize = vi.fn(async () => 'A summary.')
    await Promise.all(
      ['a', 'b'].map((key) => compactWith(talk, { ...asked, conversationId: key, circuitBreaker: breaker, summarize })),
    )
    expect(summarize).toHaveBeenCalledTimes(2)
  })

  it('after one that failed the next succeeds [BT9]', async () => {
    const breaker = new CircuitBreaker()
    const summarize = vi.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValueOnce('A summary.')
    const options = { ...asked, conversationId: 'a', circuitBreaker: breaker, summarize }
    expect((await compactWith(talk, options)).plan.changesAnything).toBe(false)
    expect((await compactWith(talk, options)).plan.changesAnything).toBe(true)
  })

  it('three failures in a row and it rests although it is due; reset opens it again [GT13]', async () => {
    const breaker = new CircuitBreaker()
    const summarize = vi.fn(async () => '')
    const options = { ...asked, conversationId: 'a', circuitBreaker: breaker, summarize }
    for (let i = 0; i < 5; i++) expect((await compactWith(talk, options)).history).toBe(talk)
    expect(summarize).toHaveBeenCalledTimes(3)
    breaker.reset('a')
    await compactWith(talk, options)
    expect(summarize).toHaveBeenCalledTimes(4)
  })

  it('never inside itself: with an id and without one the inner call is answered at once [G14]', async () => {
    for (const conversationId of ['inner', undefined]) {
      const inner: string[][] = []
      const options = { ...asked, ...(conversationId === undefined ? {} : { conversationId }) }
      const summarize = async () => {
        const within = await compactWith(talk, { ...options, summarize })
        expect(within.history).toBe(talk)
        inner.push(codes(within.plan))
        return 'A summary.'
      }
      expect((await compactWith(talk, { ...options, summarize })).plan.changesAnything).toBe(true)
      expect(inner).toEqual([expect.arrayContaining(['under-way'])])
    }
  })

  it('two at once for one key: the second returns its own history and a reason [BT6]', async () => {
    const summarize = vi.fn(async () => 'A summary.')
    const other = [...talk, user('more')]
    const options = { ...asked, conversationId: 'two', circuitBreaker: new CircuitBreaker(), summarize }
    const [first, second] = await Promise.all([compactWith(talk, options), compactWith(other, options)])
    expect(first.plan.changesAnything).toBe(true)
    expect(second.history).toBe(other)
    expect(codes(second.plan)).toContain('under-way')
    expect(summarize).toHaveBeenCalledTimes(1)
  })

  it('an abort is not a failure [G13]', async () => {
    const breaker = new CircuitBreaker()
    const aborted = AbortSignal.abort()
    const summarize = vi.fn(async () => {
      throw new Error('aborted')
    })
    for (let i = 0; i < 5; i++)
      await compactWith(talk, { ...asked, conversationId: 'a', circuitBreaker: breaker, summarize, signal: aborted })
    expect(summarize).toHaveBeenCalledTimes(5)
  })

  it('codex 40213: compaction after compaction without new messages stops', async () => {
    const breaker = new CircuitBreaker()
    const summarize = vi.fn(async () => 'A summary.')
    let history: readonly unknown[] = talk
    for (let i = 0; i < 10; i++) {
      const done = await compactWith(history, {
        ...asked,
        conversationId: 'a',
        circuitBreaker: breaker,
        summarize,
        force: true,
      })
      history = [...done.history, user(words('more', 300))]
    }
    expect(summarize.mock.calls.length).toBeLessThan(7)
  })
})

async function requestFor(found: ReturnType<typeof plan>): Promise<SummaryRequest> {
  if (found.needs !== 'summary') throw new Error(`no summary is needed: ${codes(found).join()}`)
  let request: SummaryRequest | undefined
  const send = async (one: SummaryRequest) => {
    request = one
    return 'A summary.'
  }
  await summarizeBy({ send })(found.summaryInput as SummaryInput)
  return request!
}
