/**
 * Abort at any moment, in every dialect: what came is kept, what ran is asked to stop, and the next prompt just works.
 */
import { describe, expect, it } from 'vitest'
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
} from '../../test/agent-setup.ts'
import { causeText } from '../core/index.ts'
import { runTurn, type Turn } from './index.ts'

const BEFORE = causeText('aborted-before-start')
const WHILE = causeText('aborted-while-running')
const city = { type: 'object', properties: { city: { type: 'string' } } }

async function abortOn(turn: Turn, type: string, count = 1): Promise<void> {
  let seen = 0
  for await (const event of turn) if (event.type === type && ++seen === count) turn.abort()
}

describe.each(setups.map((setup) => [setup.dialect, setup] as const))('abort in %s', (_name, setup) => {
  const answers = async (session: Awaited<ReturnType<typeof open>>, fetch: ReturnType<typeof contract>) => {
    expect(await invalid(setup, session)).toEqual([])
    fetch.script({ text: 'Here again.' })
    const next = runTurn(session, 'Still there?', optionsOf(setup, fetch))
    expect(await next.outcome).toMatchObject({ status: 'done', text: 'Here again.' })
    expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
    return (await outline(session)).split(/ \| user Still there\?|\n\nStill there\?/)[0]
  }

  it('before the first byte', async () => {
    const fetch = contract()
    fetch.script({ text: 'Never sent.', fault: 'slow-first-byte=600000' })
    const session = await open(setup)
    const aborting: typeof fetch = Object.assign(async (...given: Parameters<typeof fetch>) => {
      const answer = fetch(...given)
      queueMicrotask(() => turn.abort())
      return answer
    }, fetch)
    const turn: Turn = runTurn(session, 'Hi', optionsOf(setup, aborting))
    expect(await turn.outcome).toMatchObject({ status: 'aborted', text: '' })
    if (fetch.requests.length === 0) await fetch('http://contract.invalid/v1/none')
    expect(await answers(session, fetch)).toBe('user Hi')
  })

  it('with a signal that was aborted before: the prompt is kept and no request is sent', async () => {
    const fetch = contract()
    const session = await open(setup)
    const turn = runTurn(session, 'Hi', optionsOf(setup, fetch, { signal: AbortSignal.abort() }))
    expect(await turn.outcome).toMatchObject({ status: 'aborted', steps: 0 })
    expect(fetch.requests).toHaveLength(0)
    expect(await answers(session, fetch)).toBe('user Hi')
  })

  it('in text: it is kept, marked incomplete', async () => {
    const fetch = contract()
    fetch.script({ text: 'One two three.', chunkBytes: 4 })
    const session = await open(setup)
    const turn = runTurn(session, 'Count', optionsOf(setup, stalledAt(fetch, 'two')))
    await abortOn(turn, 'text')
    const { status, text } = await turn.outcome
    expect(status).toBe('aborted')
    expect('One two three.'.startsWith(text) && text.length > 0).toBe(true)
    expect((await session.entries()).at(-1)).toMatchObject({ incomplete: true })
    expect(await answers(session, fetch)).toBe(`user Count | assistant ${text}`)
  })

  it('in reasoning: nothing of it is left', async () => {
    const fetch = contract()
    fetch.script({ reasoning: 'First I think hard about it.', text: 'Done.', chunkBytes: 8 })
    // OpenAI shows no reasoning in chat.
    const chat =
      setup.dialect === 'openai-chat' ? { ...setup, provider: 'deepseek', model: 'deepseek-reasoner' } : setup
    const headers = chat === setup ? {} : { 'x-contract-provider': 'deepseek' }
    const session = await open(chat)
    const turn = runTurn(session, 'Think', optionsOf(chat, stalledAt(fetch, 'think ha'), { headers }))
    await abortOn(turn, 'reasoning')
    expect(await turn.outcome).toMatchObject({ status: 'aborted', text: '' })
    expect(await answers(session, fetch)).toBe('user Think')
  })

  it('in the arguments of a call: it is never run', async () => {
    const fetch = contract()
    let ran = 0
    fetch.script({ text: 'I look.', calls: [{ name: 'weather', arguments: { city: 'Reykjavik' } }], chunkBytes: 7 })
    const session = await open(setup)
    const tools = [tool('weather', () => ++ran, { parameters: city })]
    const turn = runTurn(session, 'Weather?', optionsOf(setup, stalledAt(fetch, 'Rey'), { tools }))
    await abortOn(turn, 'text')
    expect(await turn.outcome).toMatchObject({ status: 'aborted' })
    expect(ran).toBe(0)
    expect(await answers(session, fetch)).toBe('user Weather? | assistant I look.')
  })

  // Gemini may give ids or none; without, a result is known by its place.
  it.each(setup.dialect === 'gemini' ? ['id_', undefined] : [undefined])(
    'while tools run: finished results stay, the others state their cause, and a late one replaces it',
    async (prefix) => {
      const fetch = contract()
      const late = deferred<string>()
      const seen: string[] = []
      const tools = [
        tool('quick', () => 'Quick is done.'),
        tool('slow', (_input, { signal, progress }) => {
          progress('it runs')
          signal.addEventListener('abort', () => seen.push('slow was aborted'))
          return late.opened
        }),
        tool('never', () => seen.push('never ran')),
      ]
      const calls = ['quick', 'slow', 'never'].map((name) => ({ name, arguments: {} }))
      fetch.script({ calls: prefix ? calls.map((call) => ({ ...call, id: `${prefix}${call.name}` })) : calls })
      const session = await open(setup)
      const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools, maxParallelTools: 1 }))
      await abortOn(turn, 'progress')
      expect(await turn.outcome).toMatchObject({ status: 'aborted' })
      expect(seen).toEqual(['slow was aborted'])
      const base = 'user Go | call quick | call slow | call never | result quick Quick is done. | result slow'
      expect(await answers(session, fetch)).toBe(`${base} ${WHILE} | result never ${BEFORE}`)
      late.open('Slow is done, too.')
      await turn.settled
      expect(await outline(session)).toContain(
        `${base} Slow is done, too. | result never ${BEFORE} | user Still there?`,
      )
      expect((await outline(session)).match(/Slow is done, too/g)).toHaveLength(1)
      expect(await invalid(setup, session, tools)).toEqual([])
    },
  )

  it('between rounds: the results are stored, and no further request is sent', async () => {
    const fetch = contract()
    fetch.script({ calls: [{ name: 'news', arguments: {} }] })
    const session = await open(setup)
    const turn: Turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools: [tool('news', () => 'Quiet.')] }))
    await abortOn(turn, 'result')
    expect(await turn.outcome).toMatchObject({ status: 'aborted' })
    expect(fetch.requests.length).toBeLessThanOrEqual(2)
    expect(await answers(session, fetch)).toBe('user Go | call news | result news Quiet.')
  })

  it('twice, and when all is over', async () => {
    const fetch = contract()
    fetch.script({ text: 'Hello.', chunkBytes: 2 })
    const session = await open(setup)
    const turn = runTurn(session, 'Hi', optionsOf(setup, stalledAt(fetch, 'Hel')))
    for await (const event of turn) {
      if (event.type === 'text') {
        turn.abort()
        turn.abort()
      }
    }
    expect((await turn.outcome).status).toBe('aborted')
    const head = session.head
    turn.abort()
    await session.abort()
    expect(session.head).toBe(head)
    await answers(session, fetch)
  })

  it('a tool that crashes or throws a value that is not an error gives a failed result, and the others continue', async () => {
    const fetch = contract({ parallelCalls: true })
    const tools = [
      tool('throws', () => {
        throw new Error('no disk')
      }),
      tool('rejects', () => Promise.reject('plain words')),
      tool('works', () => ({ rows: 2 })),
    ]
    const session = await open(setup)
    const turn = runTurn(session, 'Go', optionsOf(setup, fetch, { tools }))
    const events = await eventsOf(turn)
    expect((await turn.outcome).status).toBe('done')
    expect(events.filter(({ type }) => type === 'result')).toHaveLength(3)
    const stored = await outline(session)
    expect(stored).toContain('result throws throws failed: no disk')
    expect(stored).toContain('result rejects rejects failed: plain words')
    expect(stored).toContain('result works {"rows":2}')
    expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
  })
})
