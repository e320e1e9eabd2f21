/**
 * Aborts and prompts at a bad moment, in every dialect. More aborts are in src/agent/abort.test.ts.
 */
import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { runTurn, subagent, type Turn } from '../../src/agent/index.ts'
import { causeText } from '../../src/core/index.ts'
import { pause } from '../../src/guard/pause.ts'
import { inUse } from '../../src/session/in-process-lock.ts'
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

const others: Readonly<Record<string, string>> = {
  'openai-chat': 'gpt-4.1',
  'openai-responses': 'gpt-4o',
  'anthropic-messages': 'claude-opus-4-5',
  gemini: 'gemini-2.5-pro',
  'bedrock-converse': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
}
const FOREVER = 1e9
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Runs a command; how it ended decides. */
function command(script: string, signal: AbortSignal, began?: () => void): Promise<string> {
  const child = spawn('sh', ['-c', script], { signal, killSignal: 'SIGKILL', stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.on('spawn', () => began?.())
    child.on('error', reject)
    child.on('exit', (code, how) => (how ? reject(new Error(`ended by ${how}`)) : resolve(`ended with ${code}`)))
  })
}

describe.each(setups.map((setup) => [setup.dialect, setup] as const))('%s', (_name, setup) => {
  const calling = (...names: readonly string[]) => ({ calls: names.map((name) => ({ name, arguments: {} })) })

  it('a tool that crashes: a tool that is a process and is killed is a failed result, and the others continue', async () => {
    const fetch = contract({ script: [calling('dies', 'works'), { text: 'One died.' }] })
    const tools = [
      tool('dies', (_input, { signal }) => command('kill -9 $$', signal)),
      tool('works', (_input, { signal }) => command('exit 3', signal)),
    ]
    const session = await open(setup)
    expect((await runTurn(session, 'Go', optionsOf(setup, fetch, { tools })).outcome).status).toBe('done')
    const stored = await outline(session)
    expect(stored).toContain('result dies dies failed: ended by SIGKILL')
    expect(stored).toContain('result works ended with 3')
    expect(await invalid(setup, session, tools)).toEqual([])
  })

  it('a tool that crashes: an abort kills the process of a tool, and every call has a result', async () => {
    const fetch = contract({ script: [calling('sleeps', 'never')] })
    let ended: Promise<string> | undefined
    const sleeps = tool('sleeps', (_input, { signal, progress }) => {
      ended = command('sleep 600', signal, () => progress('it runs'))
      return ended
    })
    const tools = [sleeps, tool('never', () => 'No.')]
    const session = await open(setup)
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools, maxParallelTools: 1 }))
    for await (const event of turn) if (event.type === 'progress') turn.abort()
    expect((await turn.outcome).status).toBe('aborted')
    await expect(ended).rejects.toThrow(/abort/i)
    await turn.settled
    const [ran, not] = [causeText('aborted-while-running'), causeText('aborted-before-start')]
    expect(await outline(session)).toContain(`result sleeps ${ran} | result never ${not}`)
    expect(await invalid(setup, session, tools)).toEqual([])
  })

  it('an abort: while idle it does nothing, before a turn and after one', async () => {
    const fetch = contract({ script: [{ text: 'Hello.' }, { text: 'Again.' }] })
    const session = await open(setup)
    await session.abort()
    expect(session.head).toBe(0)
    const turn = runTurn(session, 'Hi', optionsOf(setup, fetch))
    expect((await turn.outcome).text).toBe('Hello.')
    const { head } = session
    turn.abort()
    await session.abort()
    expect(session.head).toBe(head)
    expect((await runTurn(session, 'Hi', optionsOf(setup, fetch)).outcome).text).toBe('Again.')
  })

  it.each([
    ['the turn', { text: 'Half of it', chunkBytes: 3, fault: 'cut-after-events=3' as const }],
    ['the guard', { fault: 'status=429' as const }],
  ])('an abort: an abort while %s waits to ask again ends the wait, and no request is sent', async (_who, reply) => {
    const fetch = contract({ script: [reply, { text: 'Never asked for.' }] })
    const session = await open(setup)
    const wait = (_ms: number, signal?: AbortSignal) => {
      queueMicrotask(() => turn.abort())
      return pause(FOREVER, signal)
    }
    const turn: Turn = runTurn(session, 'Go', { ...optionsOf(setup, fetch), guard: { wait } })
    const events = await eventsOf(turn)
    expect((await turn.outcome).status).toBe('aborted')
    expect(fetch.requests).toHaveLength(1)
    expect(events.some((event) => event.type === 'recovered' && event.recovery === 'ask-again')).toBe(false)
    expect(await invalid(setup, session)).toEqual([])
    const calm = contract({ script: [{ text: 'Here.' }] })
    expect((await runTurn(session, 'Well?', optionsOf(setup, calm)).outcome).text).toBe('Here.')
  })

  it('an abort: a turn that waits for its own turn can be aborted; its prompt is kept', async () => {
    const going = deferred<string>()
    const fetch = contract({ script: [calling('look'), { text: 'First.' }] })
    const session = await open(setup)
    const first = runTurn(session, 'One', optionsOf(setup, fetch, { tools: [tool('look', () => going.opened)] }))
    const second = runTurn(session, 'Two', optionsOf(setup, fetch))
    second.abort()
    going.open('Seen.')
    expect([(await first.outcome).text, (await second.outcome).status]).toEqual(['First.', 'aborted'])
    expect(await outline(session)).toMatch(/assistant First\. \| user Two$/)
  })

  it('an abort: an abort reaches a sub-agent that hangs; both sessions are whole and continue', async () => {
    const store = memoryStore()
    const inner = contract({ script: [{ text: 'Slow words', chunkBytes: 2 }] })
    const asks = subagent({
      ...optionsOf(setup, stalledAt(inner, 'ow')),
      name: 'ask',
      description: 'Asks.',
      session: () => open(setup, store, 'sub'),
    })
    const fetch = contract({ script: [{ calls: [{ name: 'ask', arguments: { prompt: 'What is it?' } }] }] })
    const session = await open(setup, store)
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools: [asks] }))
    for await (const event of turn)
      if (event.type === 'progress' && (event.detail as { type: string }).type === 'text') turn.abort()
    expect((await turn.outcome).status).toBe('aborted')
    await turn.settled
    for (const id of ['chat', 'sub']) {
      const one = await open(setup, store, id)
      expect(await invalid(setup, one, [asks])).toEqual([])
      const calm = contract({ script: [{ text: 'Here.' }] })
      expect((await runTurn(one, 'Well?', optionsOf(setup, calm)).outcome).text).toBe('Here.')
    }
    expect(await outline(session)).toContain(`result ask ${causeText('aborted-while-running')}`)
  })

  it('signals at the same time: three prompts while tools run all go in at the next request, in order', async () => {
    const going = deferred<string>()
    const fetch = contract({ script: [calling('look'), { text: 'All done.' }] })
    const session = await open(setup)
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools: [tool('look', () => going.opened)] }))
    for await (const event of turn) {
      if (event.type !== 'call') continue
      for (const n of [1, 2, 3]) turn.say(`prompt ${n}`)
      going.open('Seen.')
    }
    expect((await turn.outcome).text).toBe('All done.')
    expect(fetch.requests).toHaveLength(2)
    expect(JSON.stringify(fetch.requests[1]!.body)).toMatch(/Seen\..*prompt 1.*prompt 2.*prompt 3/)
    expect(await invalid(setup, session)).toEqual([])
  })

  it('signals at the same time: another model is chosen during a stream: the answer is whole, and the next one is from the other', async () => {
    const store = memoryStore()
    const fetch = contract({ script: [{ text: 'From the first.', chunkBytes: 4 }, { text: 'From the second.' }] })
    const session = await open(setup, store)
    const other = { ...setup, model: others[setup.dialect]! }
    const turn = runTurn(session, 'Who?', optionsOf(setup, fetch))
    let next: Turn | undefined
    for await (const event of turn) {
      if (event.type !== 'text' || next) continue
      next = runTurn(await open(other, store), 'And now?', optionsOf(other, fetch))
    }
    expect([(await turn.outcome).text, (await next!.outcome).text]).toEqual(['From the first.', 'From the second.'])
    expect(fetch.requests.map(({ model }) => model)).toEqual([setup.model, other.model])
    expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
    const entries = await (await open(other, store)).entries()
    expect(entries.flatMap(({ author }) => (author ? [author.model] : []))).toEqual([setup.model, other.model])
  })

  it('signals at the same time: a prompt in the middle of a stream that is then cut waits for the next request', async () => {
    const fetch = contract({
      script: [{ text: 'Half of it', chunkBytes: 3, fault: 'cut-after-events=4' }, { text: 'Done.' }],
    })
    const session = await open(setup)
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch))
    let reported = false
    for await (const event of turn) {
      if (event.type === 'text' && !reported) reported = turn.say('And this?')
    }
    expect(await turn.outcome).toMatchObject({ status: 'done' })
    expect(await outline(session)).toContain('And this?')
    expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
  })

  const order = async (ids: readonly [string, string], fails = false) => {
    const store = memoryStore()
    const [one, two] = [await open(setup, store, ids[0]), await open(setup, store, ids[1])]
    const [a, b] = [deferred<string>(), deferred<string>()]
    const log: string[] = []
    const turn = (session: typeof one, name: string, opened: Promise<string>) => {
      const fetch = contract({ script: [calling('look'), { text: 'Done.' }] })
      const look = tool('look', async () => {
        log.push(`${name}:start`)
        await opened
        log.push(`${name}:end`)
        if (fails && name === 'A') throw new Error('no')
        return 'Seen.'
      })
      return runTurn(session, name, optionsOf(setup, fetch, { tools: [look] }))
    }
    const [first, second] = [turn(one, 'A', a.opened), turn(two, 'B', b.opened)]
    // The second holder is let go first: the order shows which one waited for the first.
    b.open('')
    if (ids[0] !== ids[1]) await second.outcome
    await settled()
    expect(inUse(store)).toBe(1)
    a.open('')
    expect([(await first.outcome).status, (await second.outcome).status]).toEqual(['done', 'done'])
    await settled()
    expect(inUse(store)).toBe(0)
    return log
  }

  it('one turn at a time: turns of one session do not overlap', async () => {
    expect(await order(['s', 's'])).toEqual(['A:start', 'A:end', 'B:start', 'B:end'])
  })

  it('one turn at a time: turns of different sessions do', async () => {
    const log = await order(['s', 't'])
    expect(log.indexOf('B:end')).toBeLessThan(log.indexOf('A:end'))
  })

  it('one turn at a time: a holder that fails releases it and does not poison the next', async () => {
    expect(await order(['s', 's'], true)).toEqual(['A:start', 'A:end', 'B:start', 'B:end'])
  })

  it('one turn at a time: held until the last in the queue has ended, a broken one among them', async () => {
    const store = memoryStore()
    const session = await open(setup, store)
    const stalled = stalledAt(contract({ script: [{ text: 'Half', chunkBytes: 2 }] }), 'Ha')
    const turns = [
      runTurn(session, 'A', optionsOf(setup, stalled, { idleTimeoutMs: 10, maxRetries: 0 })),
      runTurn(session, 'B', optionsOf(setup, contract({ script: [{ fault: 'status=401' }] }))),
      runTurn(session, 'C', optionsOf(setup, contract({ script: [{ text: 'c' }] }))),
    ]
    expect(inUse(store)).toBe(1)
    await turns[1]!.outcome
    expect(inUse(store)).toBe(1)
    expect((await turns[2]!.outcome).status).toBe('done')
    await settled()
    expect(inUse(store)).toBe(0)
  })
})
