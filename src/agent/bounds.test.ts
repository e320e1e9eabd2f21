/**
 * Bounds and answers of a turn: steps, repeated calls, arguments, time, retries, approvals, steering, sub-agents,
 * leases.
 */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
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
  textIn,
  tool,
} from '../../test/agent-setup.ts'
import { causeText } from '../core/index.ts'
import { memoryStore } from '../session.ts'
import { resumeTurn, runTurn, subagent, type TurnEvent } from './index.ts'

const BEFORE = causeText('aborted-before-start')

function whys(events: readonly TurnEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'result' ? [event.why] : []))
}

describe.each(setups.map((setup) => [setup.dialect, setup] as const))('%s', (_name, setup) => {
  it('the last step has no tools and asks for an answer', async () => {
    const fetch = contract()
    const calling = { calls: [{ name: 'look', arguments: { at: 1 } }] }
    fetch.script(calling, calling)
    const session = await open(setup)
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools: [tool('look', () => 'Seen.')], maxSteps: 2 }))
    const { status, steps } = await turn.outcome
    expect([status, steps]).toEqual(['limit', 2])
    expect(JSON.stringify(fetch.requests[1]?.body)).toContain('This is the last step')
    expect(await outline(session)).toBe(`user Go | call look | result look Seen. | call look | result look ${BEFORE}`)
    expect(await invalid(setup, session, [tool('look', () => '')])).toEqual([])
    fetch.script({ text: 'Fine.' })
    expect(await runTurn(session, 'Well?', optionsOf(setup, fetch)).outcome).toMatchObject({
      status: 'done',
      text: 'Fine.',
    })
    expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
  })

  it('the third identical call in a row is not run, and the model gets an error', async () => {
    const fetch = contract()
    let ran = 0
    const same = { calls: [{ name: 'look', arguments: { a: 1, b: 2 } }] }
    const other = { calls: [{ name: 'look', arguments: { a: 2 } }] }
    const turned = { calls: [{ name: 'look', arguments: { b: 2, a: 1 } }] }
    fetch.script(same, turned, same, same, other, same, { text: 'I stop.' })
    const session = await open(setup)
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools: [tool('look', () => `Seen ${++ran}.`)] }))
    const events = await eventsOf(turn)
    expect(whys(events)).toEqual(['returned', 'returned', 'repeated', 'repeated', 'returned', 'returned'])
    expect(ran).toBe(4)
    expect(await outline(session)).toContain('look was not run: this same call was made 3 times in a row')
  })

  it('arguments that do not fit, and tools that are not there are reported and not run', async () => {
    const fetch = contract()
    let ran = 0
    const tools = [
      tool('json', () => ++ran, {
        parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      }),
      tool('zod', () => ++ran, { parameters: z.object({ word: z.string().min(3) }) }),
    ]
    fetch.script(
      {
        calls: [
          { name: 'json', arguments: { n: 'one' } },
          { name: 'zod', arguments: { word: 'no' } },
          { name: 'gone', arguments: {} },
        ],
      },
      {
        calls: [
          { name: 'json', arguments: { n: 1 } },
          { name: 'zod', arguments: { word: 'fits' } },
        ],
      },
      { text: 'Done.' },
    )
    const session = await open(setup)
    const events = await eventsOf(runTurn(session, 'Go', optionsOf(setup, fetch, { tools })))
    expect([...whys(events)].sort()).toEqual(['arguments', 'arguments', 'no-such-tool', 'returned', 'returned'])
    expect(ran).toBe(2)
    const stored = await outline(session)
    expect(stored).toContain('/n: must be integer')
    expect(stored).toContain('/word: ')
    expect(stored).toContain('There is no tool "gone". Known: json, zod.')
  })

  it('a tool that takes too long is aborted; its late result replaces the synthetic one', async () => {
    const fetch = contract()
    const late = deferred<string>()
    fetch.script({ calls: [{ name: 'slow', arguments: {}, id: 'call_slow1' }] }, { text: 'I went on.' })
    const session = await open(setup)
    const turn = runTurn(
      session,
      'Go',
      optionsOf(setup, fetch, { tools: [tool('slow', () => late.opened)], toolTimeoutMs: 5 }),
    )
    const events = await eventsOf(turn)
    expect(whys(events)).toEqual(['timed-out'])
    expect(await turn.outcome).toMatchObject({ status: 'done', text: 'I went on.' })
    late.open('At last.')
    await turn.settled
    expect(await outline(session)).toContain('result slow At last.')
    expect(await invalid(setup, session, [tool('slow', () => '')])).toEqual([])
  })

  it('a stream that breaks in the text is kept and continued, up to the limit', async () => {
    const fetch = contract()
    fetch.script(
      { text: 'The first half of what I have to say about it', chunkBytes: 6, fault: 'cut-after-events=5' },
      { text: ' and the rest.' },
    )
    const session = await open(setup)
    const turn = runTurn(session, 'Speak', optionsOf(setup, fetch))
    const events = await eventsOf(turn)
    expect(await turn.outcome).toMatchObject({ status: 'done', text: ' and the rest.' })
    expect(events.filter(({ type }) => type === 'incomplete')).toEqual([{ type: 'incomplete', why: 'cut' }])
    expect(events.filter(({ type }) => type === 'recovered')).toEqual([
      { type: 'recovered', recovery: 'ask-again', report: { retry: 1, maxRetries: 2 } },
    ])
    expect(await outline(session)).toContain('The fi')
    expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
    expect(await invalid(setup, session)).toEqual([])
  })

  const broken = async (fetch: ReturnType<typeof contract>) => {
    fetch.script({ text: 'Never', fault: 'error-event=0' })
    const session = await open(setup)
    const turn = runTurn(session, 'First', optionsOf(setup, fetch, { maxRetries: 0, guard: { level: 'repair' } }))
    return { session, events: await eventsOf(turn), outcome: await turn.outcome }
  }

  it('a stream that yields an error event ends the turn with its error [OT16]', async () => {
    const { outcome, events } = await broken(contract())
    expect([outcome.status, outcome.error instanceof Error]).toEqual(['failed', true])
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['incomplete', 'done'])
  })

  it('then only the prompt is stored [OT17]', async () => {
    const { session } = await broken(contract())
    expect(await session.raw()).toEqual([session.wiring.service.dialect.textMessage('user', 'First')])
  })

  it('the next prompt completes, and both are there [OT18]', async () => {
    const fetch = contract()
    const { session } = await broken(fetch)
    fetch.script({ text: 'Hello.' })
    expect(await runTurn(session, 'Second', optionsOf(setup, fetch)).outcome).toMatchObject({ status: 'done' })
    expect(await outline(session)).toMatch(/user First.*Second.*assistant Hello\./s)
  })

  it('a rejection that nothing helps against ends the turn at once with its words', async () => {
    const fetch = contract()
    const session = await open(setup)
    const asked = runTurn(session, 'Hi', optionsOf(setup, fetch, { headers: { 'x-contract-fault': 'status=401' } }))
    const { status, error, steps } = await asked.outcome
    expect([status, steps, error?.name]).toEqual(['failed', 1, 'SutureError'])
    expect(error?.message).toContain('401')
    expect(await runTurn(session, 'Hi again', optionsOf(setup, fetch)).outcome).toMatchObject({ status: 'done' })
  })

  it('an answer that stalls counts as broken off', async () => {
    const fetch = contract()
    fetch.script({ text: 'Half of it', chunkBytes: 4 }, { text: 'All.' })
    const session = await open(setup)
    const outcome = await runTurn(session, 'Go', optionsOf(setup, stalledAt(fetch, ' of'), { idleTimeoutMs: 30 }))
      .outcome
    expect(outcome).toMatchObject({ status: 'done', text: 'All.', steps: 2 })
  })

  it('a call that cannot be read is never run, and the model is asked to make it again', async () => {
    const fetch = contract()
    let ran = 0
    const cut =
      setup.dialect === 'gemini' || setup.dialect === 'bedrock-converse'
        ? { text: 'Hm, let me see.', chunkBytes: 3, fault: 'cut-after-events=3' as const }
        : { calls: [{ name: 'look', arguments: '{"at": "Os' }] }
    fetch.script(cut, { calls: [{ name: 'look', arguments: { at: 'Oslo' } }] }, { text: 'Seen it.' })
    const session = await open(setup)
    const outcome = await runTurn(session, 'Go', optionsOf(setup, fetch, { tools: [tool('look', () => ++ran)] }))
      .outcome
    expect(outcome).toMatchObject({ status: 'done', text: 'Seen it.' })
    expect(ran).toBe(1)
    expect(await invalid(setup, session, [tool('look', () => '')])).toEqual([])
  })

  it('prompts during a turn: before the next request or after the answer, in order, none lost', async () => {
    const fetch = contract()
    const going = deferred()
    fetch.script({ calls: [{ name: 'look', arguments: {} }] }, { text: 'One.' }, { text: 'Two.' }, { text: 'Three.' })
    const session = await open(setup)
    const tools = [tool('look', () => going.opened.then(() => 'Seen.'))]
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools }))
    for await (const event of turn) {
      if (event.type !== 'call') continue
      expect([
        turn.say('later 1', 'after'),
        turn.say('now 1'),
        turn.say('now 2'),
        turn.say('later 2', 'after'),
      ]).toEqual([true, true, true, true])
      going.open()
    }
    expect(await turn.outcome).toMatchObject({ status: 'done', text: 'Three.' })
    expect(turn.say('too late')).toBe(false)
    expect((await outline(session)).replace(/\n\n/g, ' | user ')).toBe(
      'user Go | call look | result look Seen. | user now 1 | user now 2 | assistant One. | user later 1 | assistant Two. | user later 2 | assistant Three.',
    )
    expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
  })

  it('prompts that waited when the turn was aborted are there for the next one', async () => {
    const fetch = contract()
    fetch.script({ calls: [{ name: 'look', arguments: {} }] })
    const session = await open(setup)
    const tools = [tool('look', () => new Promise(() => {}))]
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools }))
    for await (const event of turn) {
      if (event.type !== 'call') continue
      turn.say('now')
      turn.say('later', 'after')
      turn.abort()
    }
    fetch.script({ text: 'Here.' })
    expect(await runTurn(session, 'Next', optionsOf(setup, fetch)).outcome).toMatchObject({ text: 'Here.' })
    expect((await outline(session)).replace(/\n\n/g, ' | user ')).toMatch(
      /user now \| user later \| user Next \| assistant Here\.$/,
    )
  })

  it('turns of one session wait for each other; those of others do not; a failed one does not stop the next', async () => {
    const store = memoryStore()
    const fetch = contract()
    const [one, same, other] = [
      await open(setup, store, 'a'),
      await open(setup, store, 'a'),
      await open(setup, store, 'b'),
    ]
    const going = deferred()
    fetch.script({ calls: [{ name: 'look', arguments: {} }] })
    const first = runTurn(
      one,
      'First',
      optionsOf(setup, fetch, {
        tools: [tool('look', () => going.opened.then(() => Promise.reject(new Error('no'))))],
      }),
    )
    for await (const event of first) {
      if (event.type !== 'call') continue
      const free = contract({ script: [{ text: 'Free.' }] })
      expect(await runTurn(other, 'Other', optionsOf(setup, free)).outcome).toMatchObject({ text: 'Free.' })
      fetch.script({ text: 'First is done.' }, { text: 'Second is done.' })
      void runTurn(same, 'Second', optionsOf(setup, fetch))
      going.open()
    }
    expect(await runTurn(one, 'Third', optionsOf(setup, fetch)).outcome).toMatchObject({ status: 'done' })
    expect(await outline(one)).toMatch(
      /user First.*assistant First is done\. \| user Second \| assistant Second is done\. \| user Third/,
    )
  })

  it('a call waits for a person through reload and compaction, and then runs once', async () => {
    const store = memoryStore()
    const fetch = contract()
    let ran = 0
    const tools = [tool('pay', () => `Paid ${++ran}.`, { approval: true }), tool('look', () => 'Seen.')]
    const session = await open(setup, store)
    fetch.script({ text: 'Hello.' })
    await runTurn(session, 'Hi', optionsOf(setup, fetch)).outcome
    fetch.script({
      calls: [
        { name: 'look', arguments: {}, id: 'call_look1' },
        { name: 'pay', arguments: {}, id: 'call_pay12' },
      ],
    })
    const outcome = await runTurn(session, 'Pay', optionsOf(setup, fetch, { tools })).outcome
    expect([outcome.status, outcome.waiting.map(({ name }) => name), ran]).toEqual(['waiting', ['pay'], 0])
    const later = await open(setup, store)
    const { history, upTo, prefixHash } = await later.view()
    const summary = later.wiring.service.dialect.textMessage('user', 'Summary: we said hello.')
    const patch = [{ op: 'splice' as const, path: [], index: 0, remove: history.slice(0, 2), insert: [summary] }]
    await later.replace(patch, { by: 'test', why: 'short', upTo, prefixHash })
    expect(await invalid(setup, later, tools)).toEqual([])
    const again = await open(setup, store)
    expect(again.open.map(({ name }) => name)).toEqual(['pay'])
    const nothing = await resumeTurn(again, optionsOf(setup, fetch, { tools })).outcome
    expect([nothing.status, ran]).toEqual(['waiting', 0])
    fetch.script({ text: 'It is paid.' })
    const id = nothing.waiting[0]!.id
    const done = await resumeTurn(await open(setup, store), {
      ...optionsOf(setup, fetch, { tools }),
      approvals: { [id]: true },
    }).outcome
    expect(done).toMatchObject({ status: 'done', text: 'It is paid.' })
    expect(ran).toBe(1)
    const last = await open(setup, store)
    expect(await outline(last)).toContain('result pay Paid 1. | assistant It is paid.')
    expect(
      await resumeTurn(last, { ...optionsOf(setup, fetch, { tools }), approvals: { [id]: true } }).outcome,
    ).toMatchObject({ status: 'done', steps: 0 })
    expect(ran).toBe(1)
    expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
  })

  it('a denied call states that it was denied; a call without a decision never began', async () => {
    const fetch = contract()
    const tools = [tool('pay', () => 'Paid.', { approval: () => true })]
    const calling = { calls: [{ name: 'pay', arguments: {} }] }
    fetch.script(calling, { text: 'I see.' }, calling, { text: 'All right.' })
    const session = await open(setup)
    const first = runTurn(
      session,
      'Pay',
      optionsOf(setup, fetch, { tools, approve: async () => ({ deny: 'Too much.' }) }),
    )
    expect(whys(await eventsOf(first))).toEqual(['denied'])
    expect((await runTurn(session, 'Pay now', optionsOf(setup, fetch, { tools })).outcome).status).toBe('waiting')
    expect((await runTurn(session, 'Forget it', optionsOf(setup, fetch, { tools })).outcome).status).toBe('done')
    const stored = await outline(session)
    expect(stored).toContain('The user did not allow this call, and it was not run. Too much.')
    expect(stored).toContain(`result pay ${BEFORE}`)
  })

  it('a prompt while a call waits closes the call, and the turn continues; at the limit the prompt is kept', async () => {
    const fetch = contract()
    const calling = { calls: [{ name: 'pay', arguments: {} }] }
    fetch.script(calling, { text: 'Never mind, then.' }, calling)
    const session = await open(setup)
    const tools = [tool('pay', () => 'Paid.', { approval: true })]
    const turn = runTurn(session, 'Pay', optionsOf(setup, fetch, { tools }))
    for await (const event of turn) if (event.type === 'waiting') turn.say('Forget it.')
    expect(await turn.outcome).toMatchObject({ status: 'done', text: 'Never mind, then.' })
    expect(await outline(session)).toMatch(
      /result pay This tool call was aborted before it started\..*Forget it\. \| assistant Never/s,
    )
    const short = runTurn(session, 'Pay', optionsOf(setup, fetch, { tools, maxSteps: 1 }))
    for await (const event of short) if (event.type === 'prompt') short.say('Too late?', 'after')
    expect((await short.outcome).status).toBe('limit')
    expect(await outline(session)).toContain('Too late?')
  })

  it('a sub-agent works in its own session; its failure, its limit and its abort are results', async () => {
    const fetch = contract()
    const store = memoryStore()
    const inner = contract()
    inner.script({ text: 'Forty-two.' }, { text: 'x', fault: 'error-event=0' })
    let n = 0
    const session = await open(setup)
    const helper = (limit: number, fetched: typeof globalThis.fetch) =>
      subagent({
        ...optionsOf(setup, fetched, { maxRetries: 0, guard: { level: 'repair' } }),
        name: 'ask',
        description: 'Asks.',
        session: () => open(setup, store, `sub-${++n}`),
        timeoutMs: limit,
      })
    const calling = { calls: [{ name: 'ask', arguments: { prompt: 'What is it?' } }] }
    fetch.script(calling, calling, { text: 'Done.' })
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools: [helper(60_000, inner)] }))
    const events = await eventsOf(turn)
    expect(whys(events)).toEqual(['returned', 'threw'])
    expect(events.some((event) => event.type === 'progress' && (event.detail as TurnEvent).type === 'text')).toBe(true)
    expect(await outline(session)).toContain('result ask Forty-two.')
    expect(await outline(session)).toContain('ask failed: The sub-agent ended with the status "failed"')
    inner.script({ text: 'Slow words', chunkBytes: 2 })
    fetch.script(calling, { text: 'Without it, then.' })
    const hung = runTurn(session, 'Again', optionsOf(setup, fetch, { tools: [helper(40, stalledAt(inner, 'Sl'))] }))
    expect(whys(await eventsOf(hung))).toEqual(['timed-out'])
    await hung.settled
    const sub = await open(setup, store, 'sub-3')
    expect(await invalid(setup, sub)).toEqual([])
    expect((await runTurn(sub, 'Still there?', optionsOf(setup, inner)).outcome).status).toBe('done')
  })

  it('with a lease other owners fail before they write, and a takeover ends the first owner', async () => {
    const store = memoryStore()
    const fetch = contract()
    const going = deferred()
    const one = await open(setup, store)
    const two = await open(setup, store)
    fetch.script({ calls: [{ name: 'look', arguments: {} }] })
    await two.claim('other')
    const held = await runTurn(one, 'Mine?', optionsOf(setup, fetch, { owner: 'me' })).outcome
    expect([held.status, (held.error as { code?: string }).code]).toEqual(['failed', 'conflict'])
    expect(await one.raw()).toEqual([])
    const turn = runTurn(
      one,
      'Mine!',
      optionsOf(setup, fetch, { owner: 'me', takeOver: true, tools: [tool('look', () => going.opened)] }),
    )
    await expect(two.append([two.wiring.service.dialect.textMessage('user', 'I was here')])).rejects.toThrow()
    going.open()
    fetch.script({ text: 'Yours.' })
    expect(await turn.outcome).toMatchObject({ status: 'done', text: 'Yours.' })
    expect(textIn(await eventsOf(turn))).toBe('Yours.')
  })
})
