import { describe, expect, it } from 'vitest'
import { compact, plan } from '../../test/untyped-api.ts'
import { type CompactOptions, rawHead, shrinkMemory } from '../compact.ts'
import { Transcript } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { apply } from '../index.ts'
import { readNote, writeNote } from './compaction-note.ts'
import { estimateTokens } from './estimate.ts'
import { collectLedger, parseLedger } from './ledger.ts'
import { breakEvenOf, PRICES, UNCACHED } from './prices.ts'
import { clearResults } from './shorten-results.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const call = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input })
const answer = (id: string, content: unknown, more = {}) =>
  user([{ type: 'tool_result', tool_use_id: id, content, ...more }])
const claude = (budget: CompactOptions['budget'], more: Partial<CompactOptions> = {}): CompactOptions => ({
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  ...(budget ? { budget } : {}),
  ...more,
})
const long = (about: string, times = 200) => `${about} and more of it. `.repeat(times)
const loop = (from: number, to: number, text = (i: number) => long(`result ${i}`)) =>
  Array.from({ length: to - from }, (_, k) => from + k).flatMap((i) => [
    assistant(call(`t${i}`, i % 7 === 3 ? 'skill' : 'read_file', { path: `src/file-${i}.ts` })),
    answer(`t${i}`, text(i)),
  ])
const resultOf = (history: readonly unknown[], id: string) =>
  history
    .flatMap((one) => (one as { content: unknown }).content as { tool_use_id?: string; content?: unknown }[])
    .find((block) => block.tool_use_id === id)?.content

describe('prices', () => {
  const change = { before: 140_000, after: 24_000, prefix: 0, summary: 4_000 }

  it('a summary of 120k pays after 6 requests on a warm cache, after 2 without one', () => {
    expect(breakEvenOf({ ...change, cold: false }, PRICES).requests).toBe(6)
    expect(breakEvenOf({ ...change, cold: false }, UNCACHED).requests).toBe(2)
  })

  it('on a cold cache the history would have to be written anyway', () => {
    expect(breakEvenOf({ ...change, cold: true }, PRICES).requests).toBe(3)
  })

  it('clearing 20k in front of 100k pays after 58 requests, and at once when the cache is gone', () => {
    const clear = { before: 120_000, after: 100_000, prefix: 0, cold: false }
    expect(breakEvenOf(clear, PRICES).requests).toBe(58)
    expect(breakEvenOf({ ...clear, cold: true }, PRICES).requests).toBe(0)
  })
})

describe('shrink', () => {
  const json = JSON.stringify({ rows: Array.from({ length: 4000 }, (_, id) => ({ id, name: `row ${id}` })) })
  const history = [user('go'), ...loop(0, 2, (i) => (i === 0 ? json : long('text', 9000))), ...loop(2, 6), user('next')]
  const options = claude({ limit: 60_000, goal: 30_000 }, { memory: shrinkMemory() })

  it('JSON stays JSON, the original can be restored, and the next plan has the same bytes', () => {
    const { history: after, plan: done } = compact(history, options)
    expect(done.steps.map(({ strategy }) => strategy)).toEqual(['shrink'])
    expect(estimateTokens(String(resultOf(after, 't0')))).toBeLessThanOrEqual(4_000)
    expect(JSON.parse(String(resultOf(after, 't0')))).toHaveProperty('rows')
    expect(options.memory!.recall('t0')).toEqual([json])
    expect(compact(history, { ...options, estimate: (text) => estimateTokens(text) + 1 }).history).toEqual(after)
  })

  it('a plan that was not applied is not remembered', () => {
    const memory = shrinkMemory()
    expect(plan(history, { ...options, memory }).shrunk).toHaveLength(2)
    expect(memory.empty).toBe(true)
  })
})

describe('clear', () => {
  const history = [user('go'), ...loop(0, 30)]
  const choice = { before: 50, exempt: ['skill'], pins: [], estimate: estimateTokens }

  it('leaves exempt tools, failures and pins alone', () => {
    const failed = [
      user('go'),
      assistant(call('f', 'bash', {})),
      answer('f', long('Error'), { is_error: true }),
      ...loop(0, 30),
    ]
    const done = clearResults(failed, anthropicMessages, { ...choice, pins: ['result 5 '], batch: 1 }).history
    expect(resultOf(done, 'f')).toContain('Error')
    expect(resultOf(done, 't3')).toContain('result 3')
    expect(resultOf(done, 't5')).toContain('result 5')
    expect(resultOf(done, 't4')).toMatch(/left out to keep the conversation short/)
    expect(resultOf(done, 't29')).toContain('result 29')
  })

  it('JSON stays JSON', () => {
    const rows = [user('go'), ...loop(0, 3, (i) => JSON.stringify({ rows: long(`r ${i}`) })), user('ok')]
    const done = clearResults(rows, anthropicMessages, { ...choice, before: 5, batch: 1 }).history
    expect(JSON.parse(String(resultOf(done, 't0')))).toHaveProperty('elided')
  })

  it('clears in batches: the same bytes until the next one is full', () => {
    const at = (rounds: number) =>
      compact(
        [user('go'), ...loop(0, rounds)],
        claude(
          { limit: 15_000 },
          { strategies: { ladder: ['clear'], clear: { keepTokens: 4_000, minReclaimTokens: 6_000 } } },
        ),
      )
    const cleared = (rounds: number) => at(rounds).plan.steps[0]?.calls?.length
    const counts = Array.from({ length: 12 }, (_, i) => cleared(24 + i))
    expect(new Set(counts).size).toBeLessThan(5)
    const [one, two] = [at(26), at(27)]
    if (counts[2] === counts[3]) expect(two.history.slice(0, 40)).toEqual(one.history.slice(0, 40))
  })

  it('acts before it is due when it pays soon, and when the cache is cold', () => {
    const strategies = { clear: { keepTokens: 2_000, minReclaimTokens: 10_000 } }
    expect(plan(history, claude(undefined, { strategies })).why[0]?.code).toBe('pays')
    const late = { strategies: { clear: { keepTokens: 14_000, minReclaimTokens: 5_000, payback: 3 } } }
    expect(plan(history, claude(undefined, late)).why[0]?.code).toBe('fits')
    const cold = plan(history, claude(undefined, { ...late, now: 1_000_000, lastRequestAt: 0 }))
    expect(cold).toMatchObject({ changesAnything: true, cache: { cold: true }, why: [{ code: 'cold' }] })
  })

  it('reports how much of the cached prefix is kept', () => {
    const sum = plan(
      [user(long('rules', 400)), ...loop(0, 30)],
      claude({ limit: 9_000 }, { strategies: { ladder: ['clear'] } }),
    )
    expect(sum.cache.messages).toBe(2)
    expect(sum.cache.tokens).toBeGreaterThan(1_500)
  })
})

describe('reasoning', () => {
  const thinking = (text: string) => ({ type: 'thinking', thinking: text, signature: 'EqQBc2lnbmVk' })
  const history = [
    user('one'),
    assistant(thinking(long('first')), { type: 'text', text: 'a' }),
    user('two'),
    assistant(thinking(long('second', 20)), call('x', 'read_file', { path: 'a' })),
    answer('x', 'out'),
  ]
  const strategies = { ladder: ['reasoning'] } as const

  it('of finished turns is removed, that of the open turn stays', () => {
    const done = compact(history, claude({ limit: 500 }, { strategies }))
    expect(JSON.stringify(done.history)).not.toContain('first')
    expect(done.history.at(-2)).toBe(history[3])
  })

  it('is removed completely if signatures cover earlier content', () => {
    const done = compact(history, { ...claude({ limit: 500 }, { strategies }), model: 'claude-opus-5-5' })
    expect(JSON.stringify(done.history)).not.toContain('thinking')
    const cut = compact([...history.slice(0, 2), user(long('x')), ...history.slice(2)], {
      ...claude({ limit: 700 }),
      model: 'claude-opus-5-5',
    })
    expect(cut.plan.changesAnything).toBe(true)
    expect(JSON.stringify(cut.history)).not.toContain('"signature"')
  })

  it('stays if the provider requires it', () => {
    const chat = [
      user('one'),
      { role: 'assistant', content: 'a', reasoning_content: long('first') },
      user('two'),
      { role: 'assistant', content: 'b', reasoning_content: 'x' },
    ]
    const done = compact(chat, { provider: 'deepseek', model: 'deepseek-reasoner', budget: { limit: 300 }, strategies })
    expect(done.history).toBe(chat)
  })

  it('of Responses is removed with the ids of the items it belongs to', () => {
    const items = [
      user('one'),
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: long('first') }] },
      { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] },
      user('two'),
    ]
    const done = compact(items, { provider: 'openai-responses', model: 'gpt-5.4', budget: { limit: 300 }, strategies })
    expect(done.history).toHaveLength(3)
    expect(done.history[1]).not.toHaveProperty('id')
  })
})

describe('notes', () => {
  it('are read back verbatim, with any content', () => {
    const note = {
      messages: 12,
      pins: ['a </kept> b\n<summary>\nno', '<earlier-conversation messages="3">'],
      summary: 'x\n</summary>\n</earlier-conversation> y',
      ledger: parseLedger('read: a.ts\nchanged: </ledger> b.ts\nids: order_id 7'),
    }
    const found = readNote(`before ${writeNote(note)}\n\nand a prompt`)!
    expect(found.note.pins).toEqual(note.pins)
    expect(found.note.messages).toBe(12)
    expect(found.note.summary).toContain('y')
    expect(found.note.ledger.read).toEqual(['a.ts'])
    expect(found.rest).toBe('before\n\nand a prompt')
  })

  it('collect files read and changed, commands, failures and ids; a changed file counts once', () => {
    const history = [
      assistant(
        call('1', 'read_file', { path: 'a.ts' }),
        call('2', 'edit_file', '{"file_path":"a.ts"}'),
        call('3', 'bash', { command: 'npm test' }),
        call('4', 'apply_patch', '*** Begin Patch\n*** Update File: src/b.ts\n'),
        call('5', 'cancel', { order_id: 'A-77' }),
      ),
      answer('3', 'exit 1\nmore', { is_error: true }),
    ]
    const transcript = new Transcript(history, anthropicMessages)
    expect(collectLedger([], transcript, { from: 0, to: 2, spared: new Set() })).toEqual({
      read: [],
      changed: ['a.ts', 'src/b.ts'],
      ran: ['npm test'],
      failed: ['bash: exit 1'],
      ids: ['order_id A-77'],
    })
  })

  it('report how many entries the ledger had no space for', () => {
    const history = [user('go'), ...loop(0, 60), assistant({ type: 'text', text: 'done' }), user('next')]
    const { plan: done } = compact(
      history,
      claude({ limit: 1_200, goal: 1_000 }, { strategies: { ladder: ['summary'] } }),
    )
    expect(done.why.map(({ code }) => code)).toContain('ledger-cut')
  })

  it('after ten compactions every pin and every fact of the ledger is still there', () => {
    const pin = 'RULE: never push to main\nwithout a review.'
    let history: readonly unknown[] = [user('Begin.')]
    for (let pass = 0; pass < 10; pass++) {
      history = [
        ...history,
        ...loop(pass * 12, pass * 12 + 12),
        assistant({ type: 'text', text: `done ${pass}` }),
        user(`go on ${pass}`),
      ]
      const done = compact(
        history,
        claude({ limit: 12_000, goal: 10_000 }, { strategies: { ladder: ['summary'] }, pins: pass === 0 ? [pin] : [] }),
      )
      expect(done.plan.changesAnything).toBe(true)
      expect(apply(done.history, done.undo)).toEqual(history)
      const text = (done.history as { content: unknown }[])
        .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
        .join('\n')
      expect(text).toContain(pin)
      for (let i = 0; i <= pass * 12; i++) expect(text, `pass ${pass}`).toContain(`src/file-${i}.ts`)
      expect(text.split('<earlier-conversation').length).toBe(2)
      history = done.history
    }
  })
})

describe('compaction items of the provider', () => {
  const block = { type: 'compaction', content: 'They looked at thirty files.', encrypted_content: 'gAAA' }
  const before = [user('go'), ...loop(0, 30)]
  const after = [
    assistant(block, { type: 'text', text: 'on' }),
    user('next'),
    assistant({ type: 'text', text: 'ok' }),
    user('last'),
  ]

  it('replace earlier messages: those count 0 tokens, and the items are unchanged', () => {
    const history = [...before, ...after]
    const done = compact(history, claude({ limit: 5_000 }))
    expect(done.history).toBe(history)
    expect(done.plan.tokens.before).toBeLessThan(300)
  })

  it.each([
    ['anthropic', 'claude-sonnet-4-5', [...before, ...after, ...loop(40, 70), user('last')], before.length],
    [
      'openai-responses',
      'gpt-5.4',
      [
        user('a'),
        { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA\u00e9', more: { kept: [1, null] } },
        ...Array.from({ length: 12 }, (_, i) => [
          { type: 'function_call', call_id: `c${i}`, name: 'read', arguments: '{}' },
          { type: 'function_call_output', call_id: `c${i}`, output: long(`result ${i}`) },
        ]).flat(),
        user('last'),
      ],
      1,
    ],
  ])(
    '%s: stay byte for byte and in their place when the results after them are cleared',
    (provider, model, history, at) => {
      const strategies = { ladder: ['clear'], clear: { keepTokens: 1_000, minReclaimTokens: 1 } } as const
      const done = compact(history as unknown[], { provider, model, budget: { limit: 3_000 }, strategies })
      expect(done.plan.changesAnything).toBe(true)
      expect(done.history.slice(0, at + 1)).toEqual(history.slice(0, at + 1))
      expect(JSON.stringify(done.history[at])).toBe(JSON.stringify(history[at]))
    },
  )

  it('keep the reasoning before them, which the provider ignores; later reasoning is removed', () => {
    const thought = (text: string) =>
      assistant({ type: 'thinking', thinking: text, signature: 'c2ln' }, { type: 'text', text: 'so' })
    const history = [user('go'), thought(long('early')), user('on'), ...after, thought(long('late')), user('last')]
    const strategies = { ladder: ['reasoning'] } as const
    const done = compact(history, { ...claude({ limit: 500 }), strategies })
    expect(done.history.slice(0, 4)).toEqual(history.slice(0, 4))
    expect(JSON.stringify(done.history)).not.toContain('late')
  })

  it('are removed for other providers, and the original messages are used', () => {
    const raw = rawHead([...before, ...after], { provider: 'deepseek', dialect: 'anthropic-messages' })
    expect(raw.slice(0, before.length)).toEqual(before)
    expect(JSON.stringify(raw)).not.toContain('compaction')
  })

  it('become a note if the original messages are gone', () => {
    expect(JSON.stringify(rawHead(after, { provider: 'deepseek', dialect: 'anthropic-messages' })[0])).toContain(
      'thirty files',
    )
  })

  it('that are encrypted are never removed', () => {
    const items = [
      user('a'),
      { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' },
      user(long('b')),
      { role: 'assistant', content: 'c' },
      user('d'),
    ]
    const done = compact(items, { provider: 'openai-responses', model: 'gpt-5.4', budget: { limit: 100 } })
    expect(done.history).toContain(items[1])
  })

  it('that can be read are summarized when they are removed', () => {
    const history = [...after, user(long('x', 300)), assistant({ type: 'text', text: 'y' }), user('z')]
    const done = compact(history, claude({ limit: 600 }, { strategies: { ladder: ['summary'] } }))
    expect(done.plan.changesAnything).toBe(true)
    expect(JSON.stringify(done.history)).toContain('thirty files')
  })
})

describe('a body', () => {
  it('is compacted as a whole: its fields stay, and tools and system count', () => {
    const tools = [{ name: 'read_file', description: long('tool'), input_schema: { type: 'object' } }]
    const body = { model: 'claude-sonnet-4-5', system: 'Be kind.', tools, messages: [user('go'), ...loop(0, 30)] }
    const done = compact(body, { provider: 'anthropic', budget: { limit: 9_000 } })
    expect(done.plan.changesAnything).toBe(true)
    expect(done.history).toMatchObject({ model: body.model, system: body.system })
    expect((done.history as typeof body).tools).toBe(tools)
    expect(
      done.plan.tokens.before - plan(body.messages, { provider: 'anthropic', budget: { limit: 9_000 } }).tokens.before,
    ).toBeGreaterThan(900)
    expect(apply(done.history, done.undo)).toEqual(body)
  })
})
