/**
 * Sessions with patch records of the form that earlier versions wrote (`frozen`, `items`, `insert`) open, verify, continue and undo.
 * The fixture is an SQLite file written by the last version with that form, as SQL text.
 */
import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openSession, type Session } from '../src/session.ts'
import { sqliteStore } from '../src/stores/sqlite.ts'

interface Expected {
  readonly raw: readonly unknown[]
  readonly history: readonly unknown[]
  readonly head: number
  readonly afterUndo?: readonly unknown[]
}

const fixture = new URL('./crash/fixtures/overlay-records', import.meta.url)
const expected = JSON.parse(readFileSync(`${fixture.pathname}.json`, 'utf8')) as Record<string, Expected>

async function open(id: string): Promise<Session> {
  const database = new Database(':memory:')
  database.exec(readFileSync(`${fixture.pathname}.sql`, 'utf8'))
  return openSession(await sqliteStore(database), id, { provider: 'openai' })
}

async function bodies(session: Session): Promise<readonly Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  for await (const { kind, body } of session.records()) if (kind === 'patch') found.push(JSON.parse(body))
  return found
}

describe.each(Object.keys(expected))('session "%s"', (id) => {
  it('gives the messages and the history that it gave before', async () => {
    const session = await open(id)
    const { raw, history, head } = expected[id]!
    expect(session.head).toBe(head)
    expect(await session.raw()).toEqual(raw)
    expect(await session.history()).toEqual(history)
    expect(await session.verify()).toMatchObject({ valid: true, records: head })
    expect((await bodies(session)).some((body) => 'frozen' in body)).toBe(true)
  })

  it('undoes them', async (context) => {
    if (!expected[id]!.afterUndo) context.skip('this session is already undone')
    const session = await open(id)
    if (id === 'replaced') await session.undo()
    await session.undo()
    expect(await session.history()).toEqual(expected[id]!.afterUndo)
  })

  it('continues with a core patch on top, and undoes that', async () => {
    const session = await open(id)
    const view = await session.view()
    const last = view.history.length - 1
    const insert = [{ role: 'user', content: 'replaced by a patch' }]
    await session.replace([{ op: 'splice', path: [], index: 0, remove: view.history.slice(0, last), insert }], {
      by: 'test',
      why: 'on top of an overlay',
      upTo: view.upTo,
      prefixHash: view.prefixHash,
    })
    const changed = await session.history()
    expect(changed[0]).toEqual(insert[0])
    expect((await bodies(session)).at(-1)).toMatchObject({ patch: [{ op: 'splice', path: [] }] })
    await session.append([{ role: 'user', content: 'next' }])
    expect((await session.history()).at(-1)).toEqual({ role: 'user', content: 'next' })
    await session.undo()
    expect((await session.history()).slice(0, last)).toEqual(view.history.slice(0, last))
    expect(await session.verify()).toMatchObject({ valid: true })
  })
})
