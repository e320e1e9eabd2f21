/**
 * Cases that earlier agent loops got wrong, in every dialect: crashes and reloads, aborts, broken streams, errors of
 * the provider, repeated calls. Cases about a history or a session alone are in pairing, cutting and sessions; more
 * aborts are in src/agent. Ids in brackets number the cases of earlier agents' test suites, so that none gets lost;
 * each title describes its case.
 */
import { describe, expect, it } from 'vitest'
import type { Reply } from '../../contract/index.ts'
import { resumeTurn, runTurn, type TurnOptions } from '../../src/agent/index.ts'
import { memoryStore } from '../../src/session.ts'
import {
  contract,
  deferred,
  eventsOf,
  invalid,
  open,
  optionsOf,
  outline,
  setups,
  stalledAt,
  tool,
} from '../agent-setup.ts'

const look = { calls: [{ name: 'look', arguments: { at: 'Oslo 😀 }' } }] }

describe.each(setups.map((setup) => [setup.dialect, setup] as const))('%s', (_name, setup) => {
  const asked = async (script: readonly Reply[], more: Partial<TurnOptions> = {}) => {
    const fetch = contract({ script })
    const session = await open(setup)
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, more))
    const events = await eventsOf(turn)
    expect(await invalid(setup, session, more.tools)).toEqual([])
    return { fetch, session, turn, events, outcome: await turn.outcome }
  }

  it('recovery: the messages are there again, open calls state that the process ended, and a complete pair gets no second result', async () => {
    const store = memoryStore()
    const fetch = contract({ script: [look, { text: 'Seen.' }, { calls: [{ name: 'look', arguments: {} }] }] })
    const first = await open(setup, store)
    await runTurn(first, 'Look', optionsOf(setup, fetch, { tools: [tool('look', () => 'A house.')] })).outcome
    const hangs = runTurn(
      first,
      'Again',
      optionsOf(setup, fetch, { tools: [tool('look', () => new Promise(() => {}))] }),
    )
    for await (const event of hangs) if (event.type === 'call') break
    const second = await open(setup, store)
    const stored = await outline(second)
    expect(stored).toContain(
      'user Look | call look | result look A house. | assistant Seen. | user Again | call look | result look The process that ran this tool call ended',
    )
    expect(stored.match(/result look/g)).toHaveLength(2)
    const calm = contract({ script: [{ text: 'I would look again.' }] })
    const other = await open(setup, store, 'chat')
    hangs.abort()
    await hangs.outcome
    expect((await resumeTurn(other, optionsOf(setup, calm)).outcome).text).toBe('I would look again.')
  })

  it('a tool that crashes: all of a batch fail, and every call has a result', async () => {
    const boom = () => Promise.reject(new Error('boom'))
    const tools = ['a', 'b', 'c'].map((name) => tool(name, boom))
    const calls = tools.map(({ name }) => ({ name, arguments: {} }))
    const { session, outcome } = await asked([{ calls }, { text: 'All failed.' }], { tools })
    expect(outcome.status).toBe('done')
    expect((await outline(session)).match(/failed: boom/g)).toHaveLength(3)
  })

  it('signals at the same time: a prompt and an abort; then another model continues', async () => {
    const fetch = contract({ script: [{ text: 'One two three', chunkBytes: 4 }] })
    const session = await open(setup)
    const turn = runTurn(session, 'Count', optionsOf(setup, stalledAt(fetch, 'two')))
    const next = runTurn(session, 'Stop that', {
      ...optionsOf(setup, contract({ script: [{ text: 'Fine.' }] })),
      model: setup.model,
    })
    turn.abort()
    expect([(await turn.outcome).status, (await next.outcome).text]).toEqual(['aborted', 'Fine.'])
    expect(await outline(session)).toMatch(/Count.*Stop that \| assistant Fine\.$/s)
  })

  it('stream: arguments arrive complete wherever the bytes are cut, and never become {} [OD10, OD11]', async () => {
    const seen: unknown[] = []
    for (const write of [1, 2, 7]) {
      const tools = [tool('look', (input) => seen.push(input))]
      await asked([{ ...look, text: 'Grüße 😀', chunkBytes: 1, writeBytes: write }, { text: 'Seen.' }], { tools })
    }
    expect(seen).toEqual([{ at: 'Oslo 😀 }' }, { at: 'Oslo 😀 }' }, { at: 'Oslo 😀 }' }])
  })

  it('a broken stream: an end without its marker is not an answer, and nothing of it is run [OD12]', async () => {
    let ran = 0
    const tools = [tool('look', () => ++ran)]
    const fault = setup.dialect === 'gemini' ? ('end-after-bytes=60' as const) : ('end-after-events=3' as const)
    const { outcome, events } = await asked([{ text: 'Here', ...look, chunkBytes: 2, fault }, { text: 'Done.' }], {
      tools,
    })
    expect([outcome.status, outcome.text, ran]).toEqual(['done', 'Done.', 0])
    expect(events.some(({ type }) => type === 'incomplete' || type === 'recovered')).toBe(true)
  })

  it('a stream that stops silently is ended by the timeout [OD13]', async () => {
    const fetch = contract({ script: [{ text: 'Half of', chunkBytes: 2 }] })
    const session = await open(setup)
    const turn = runTurn(session, 'Go', optionsOf(setup, stalledAt(fetch, 'Ha'), { idleTimeoutMs: 20, maxRetries: 0 }))
    expect(['failed', 'incomplete']).toContain((await turn.outcome).status)
    expect(await invalid(setup, session)).toEqual([])
  })

  it('overflow: a request that cannot be made shorter is sent a bounded number of times [OD14]', async () => {
    const fetch = contract({ tokenLimit: 10 })
    const session = await open(setup)
    let compactions = 0
    const compact = async () => {
      compactions++
      return undefined
    }
    const turn = runTurn(session, 'x'.repeat(200), optionsOf(setup, fetch, { compact }))
    expect((await turn.outcome).status).toBe('failed')
    expect(fetch.requests.length).toBeLessThanOrEqual(8)
    expect(compactions).toBeLessThanOrEqual(4)
  })

  it('overflow: a compaction that helps is done once, reported, and the turn continues', async () => {
    const fetch = contract()
    const session = await open(setup)
    const { dialect } = session.wiring.service
    await session.append([dialect.textMessage('user', 'y'.repeat(40_000)), dialect.textMessage('assistant', 'Noted.')])
    const limited = contract({ tokenLimit: 5000, script: [{ text: 'Short again.' }] })
    const turn = runTurn(session, 'Well?', {
      ...optionsOf(setup, limited),
      compact: async (one, why) => {
        if (why === 'step') return undefined
        const { history, upTo, prefixHash } = await one.view()
        const insert = [dialect.textMessage('user', 'Summary: many y.')]
        const patch = [{ op: 'splice', path: [], index: 0, remove: history.slice(0, 1), insert }] as const
        await one.replace(patch, { by: 'test', why, upTo, prefixHash })
        return { changesAnything: true, receipt: 'y' }
      },
    })
    const events = await eventsOf(turn)
    expect(await turn.outcome).toMatchObject({ status: 'done', text: 'Short again.' })
    expect(events.filter(({ type }) => type === 'compacted')).toEqual([
      { type: 'compacted', report: 'y', failed: false },
    ])
    expect(fetch.requests).toHaveLength(0)
    await session.undo()
    expect(await outline(session)).toContain('yyyy')
  })

  it('a compaction that fails changes nothing, and the turn continues [B11]', async () => {
    const compact = () => Promise.reject(new Error('no summary'))
    const { outcome, events } = await asked([{ text: 'Hello.' }], { compact })
    expect(outcome.status).toBe('done')
    expect(events.filter(({ type }) => type === 'compacted')).toEqual([
      { type: 'compacted', report: 'Error: no summary', failed: true },
    ])
  })

  it('an error of the provider: throttling waits, and stops after a bounded number of attempts', async () => {
    const once = await asked([{ fault: 'status=429' }, { text: 'Now.' }])
    expect([
      once.outcome.text,
      once.events.some((event) => event.type === 'recovered' && event.recovery === 'wait'),
    ]).toEqual(['Now.', true])
    const never = await asked(Array.from({ length: 40 }, () => ({ fault: 'status=529' as const })))
    expect(never.outcome.status).toBe('failed')
    expect(never.fetch.requests.length).toBeLessThanOrEqual(8)
  })

  it.each([
    [0, 4],
    [1, 4],
    [2, 1],
    [3, 2],
  ])('identical calls: with a threshold of %i, %i of four identical calls run', async (sameCalls, runs) => {
    let ran = 0
    await asked([look, look, look, look, { text: 'Enough.' }], {
      maxIdenticalCalls: sameCalls,
      tools: [tool('look', () => ++ran)],
    })
    expect(ran).toBe(runs)
  })

  it('one turn at a time: a second turn begins when the first has ended, with any outcome', async () => {
    const session = await open(setup)
    const order: string[] = []
    const going = deferred()
    const calls = contract({ script: [look] })
    const first = runTurn(
      session,
      'A',
      optionsOf(setup, calls, { maxSteps: 1, tools: [tool('look', () => going.opened)] }),
    )
    const second = runTurn(session, 'B', optionsOf(setup, contract({ script: [{ text: 'b' }] })))
    void first.outcome.then(() => order.push('A ends'))
    for await (const event of second) if (event.type === 'prompt') order.push('B begins')
    expect(order).toEqual(['A ends', 'B begins'])
    going.open()
  })
})
