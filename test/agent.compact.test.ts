/**
 * Compaction in the loop, by the real `suture/compact`: on the way, after a rejection for size, and around a call that
 * waits for a person.
 */
import { describe, expect, it } from 'vitest'
import { resumeTurn, runTurn, type TurnEvent } from '../src/agent/index.ts'
import { compactionsOf, compactSession } from '../src/compact.ts'
import { memoryStore, type Session } from '../src/session.ts'
import { contract, eventsOf, invalid, open, optionsOf, outline, setups, tool } from './agent-setup.ts'

const page = (n: number) => `Page ${n}: ${'many words about nothing much, and then some more; '.repeat(40)}`
const budget = { limit: 3_000, goal: 1_500 }

function compactedIn(events: readonly TurnEvent[]): readonly TurnEvent[] {
  return events.filter(({ type }) => type === 'compacted')
}

describe.each(setups.map((setup) => [setup.dialect, setup] as const))('%s', (_name, setup) => {
  const read = tool('read', ({ n }) => page(n))
  const reading = (n: number) => ({ calls: [{ name: 'read', arguments: { n }, id: `call_read${n}` }] })
  const talk = async (session: Session, turns: number) => {
    const { dialect } = session.wiring.service
    for (let n = 0; n < turns; n++)
      await session.append([
        dialect.textMessage('user', `Question ${n}? ${page(n)}`),
        dialect.textMessage('assistant', `Answer ${n}.`),
      ])
  }

  it('during a turn: reported with its receipt, written once in the log, undone by undo, and every request accepted', async () => {
    const script = [1, 2, 3, 4, 5, 6, 7, 8].map(reading)
    const fetch = contract({ script: [...script, { text: 'All read.' }] })
    const session = await open(setup)
    const compact = (one: Session) => compactSession(one, { budget })
    const turn = runTurn(session, 'Read it all.', optionsOf(setup, fetch, { tools: [read], compact }))
    const events = await eventsOf(turn)
    expect(await turn.outcome).toMatchObject({ status: 'done', text: 'All read.' })
    const logged = await compactionsOf(session)
    expect(logged.length).toBeGreaterThan(0)
    expect(compactedIn(events)).toEqual(
      logged.map(({ receipt }) => ({ type: 'compacted', report: receipt, failed: false })),
    )
    expect(fetch.requests.map(({ verdict }) => verdict)).toEqual(fetch.requests.map(() => ({ accepted: true })))
    expect(await outline(session)).toContain('user Read it all.')
    for (const _one of logged) await session.undo()
    for (const n of [1, 8]) expect(await outline(session)).toContain(page(n).slice(0, 60))
    expect(await invalid(setup, session, [read])).toEqual([])
  })

  it('after a rejection for size: the prompt stays, and the turn asks again', async () => {
    const session = await open(setup)
    await talk(session, 12)
    const fetch = contract({ tokenLimit: 4_000, script: [{ text: 'Short again.' }] })
    const compact = async (one: Session, why: string) =>
      why === 'too-long' ? compactSession(one, { budget }) : undefined
    const turn = runTurn(session, 'And now?', optionsOf(setup, fetch, { compact }))
    const events = await eventsOf(turn)
    expect(await turn.outcome).toMatchObject({ status: 'done', text: 'Short again.' })
    expect(compactedIn(events)).toHaveLength(1)
    expect(events.some((event) => event.type === 'recovered' && event.recovery === 'compact')).toBe(true)
    expect(JSON.stringify(fetch.requests.at(-1)!.body)).toContain('And now?')
  })

  it('a call that waits for a person is pending through compaction and reload, and runs once', async () => {
    const store = memoryStore()
    let ran = 0
    const tools = [tool('pay', () => `Paid ${++ran}.`, { approval: true }), read]
    const session = await open(setup, store)
    await talk(session, 8)
    const both = [{ name: 'pay', arguments: {}, id: 'call_pay12' }]
    const fetch = contract({ script: [reading(1), { calls: both }, { text: 'It is paid.' }] })
    expect((await runTurn(session, 'Pay', optionsOf(setup, fetch, { tools })).outcome).status).toBe('waiting')
    for (const goal of [2_000, 900]) {
      const one = await open(setup, store)
      await compactSession(one, { budget: { limit: goal + 200, goal } })
      expect(await invalid(setup, one, tools)).toEqual([])
    }
    const later = await open(setup, store)
    expect((await compactionsOf(later)).length).toBeGreaterThan(0)
    expect(later.waiting.map(({ name }) => name)).toEqual(['pay'])
    const compact = (one: Session) => compactSession(one, { budget: { limit: 600, goal: 300 } })
    const nothing = await resumeTurn(later, optionsOf(setup, fetch, { tools, compact })).outcome
    expect([nothing.status, nothing.waiting.map(({ name }) => name), ran]).toEqual(['waiting', ['pay'], 0])
    const approvals = { [nothing.waiting[0]!.id]: true }
    const options = { ...optionsOf(setup, fetch, { tools, compact }), approvals }
    expect(await resumeTurn(await open(setup, store), options).outcome).toMatchObject({
      status: 'done',
      text: 'It is paid.',
    })
    expect(await resumeTurn(await open(setup, store), options).outcome).toMatchObject({ status: 'done', steps: 0 })
    expect(ran).toBe(1)
    expect(fetch.requests.every(({ verdict }) => verdict?.accepted)).toBe(true)
  })
})
