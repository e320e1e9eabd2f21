/** The conformance suite of stores: what a session relies on, for custom stores as for the built-in ones. */
import { describe, expect, it } from 'vitest'
import type { Answer } from '../session/index.ts'
import { branches, leases, races, reopening, repeatedOperations, texts } from './store-cases.ts'
import { batch, bodies, code, expectChain, type StoreHarness, using } from './store-pieces.ts'

/** Declares the tests of a store. Each test uses its own sessions. */
export function testStore(name: string, harness: StoreHarness): void {
  describe(`store ${name}`, () => {
    appends(harness)
    specialWrites(harness)
    operations(harness)
    conflicts(harness)
    races(harness)
    repeatedOperations(harness)
    leases(harness)
    branches(harness)
    texts(harness)
    if (harness.lasting !== false) reopening(harness)
  })
}

function appends(harness: StoreHarness): void {
  it('begins with nothing', () =>
    using(harness, async (store, session) => {
      expect(await store.head(session)).toEqual({ head: 0, hash: '', snapshot: 0, epoch: 0, owner: null })
      expect(await store.read(session, 1, 10)).toEqual([])
      expect(await store.find(session, 'x')).toBeUndefined()
    }))

  it('numbers from 1 without a gap, in the order of the appends, each hash chained to the one before', () =>
    using(harness, async (store, session) => {
      expect(await store.append(session, batch('a', ['"1"', '"2"', '"3"']))).toMatchObject({
        first: 1,
        last: 3,
        again: false,
      })
      expect(await store.append(session, batch('b', ['"4"']))).toMatchObject({ first: 4, last: 4 })
      const entries = await store.read(session, 1, 99)
      expect(entries.map(({ seq, op, part, body }) => [seq, op, part, body])).toEqual([
        [1, 'a', 0, '"1"'],
        [2, 'a', 1, '"2"'],
        [3, 'a', 2, '"3"'],
        [4, 'b', 0, '"4"'],
      ])
      expectChain(entries)
      expect((await store.head(session)).hash).toBe(entries.at(-1)!.hash)
    }))

  it('reads only what is asked for', () =>
    using(harness, async (store, session) => {
      await store.append(session, batch('a', ['1', '2', '3', '4', '5']))
      expect((await store.read(session, 2, 4)).map(({ seq }) => seq)).toEqual([2, 3, 4])
      expect((await store.read(session, 5, 9)).map(({ seq }) => seq)).toEqual([5])
    }))
}

/** Empty appends, snapshots and purges. */
function specialWrites(harness: StoreHarness): void {
  it('an empty append touches nothing', () =>
    using(harness, async (store, session) => {
      await store.append(session, batch('a', ['1']))
      const before = await store.head(session)
      await store.append(session, batch('b', [], 1))
      expect(await store.head(session)).toEqual(before)
      expect(await store.find(session, 'b')).toBeUndefined()
    }))

  it('remembers where the latest snapshot is', () =>
    using(harness, async (store, session) => {
      await store.append(session, batch('a', ['1']))
      await store.append(session, batch('b', ['{}'], 1, 'snapshot'))
      await store.append(session, batch('c', ['2']))
      expect(await store.head(session)).toMatchObject({ head: 3, snapshot: 2 })
    }))

  it('forgets a session wholly, and no other', () =>
    using(harness, async (store, session) => {
      await store.append(session, batch('a', ['1']))
      await store.append(`${session}-other`, batch('a', ['2']))
      await store.purge(session)
      expect(await store.head(session)).toMatchObject({ head: 0 })
      expect(await bodies(store, `${session}-other`)).toEqual(['2'])
      expect(await store.list(session, 10)).toContain(`${session}-other`)
      await store.purge(`${session}-other`)
    }))
}

function operations(harness: StoreHarness): void {
  it('the same operation again gives the first answer and writes nothing, whatever else it asks', () =>
    using(harness, async (store, session) => {
      const first = await store.append(session, batch('a', ['1', '2'], 0))
      await store.append(session, batch('b', ['3']))
      expect(await store.append(session, batch('a', ['1', '2'], 0))).toEqual({ ...first, again: true })
      expect(await store.append(session, batch('a', ['other'], 99))).toEqual({ ...first, again: true })
      expect(await store.find(session, 'a')).toEqual({ ...first, again: true })
      expect(await bodies(store, session)).toEqual(['1', '2', '3'])
    }))

  it('remembers operations however many came since, each with its own place', () =>
    using(harness, async (store, session) => {
      const answers: Answer[] = []
      for (let i = 0; i < 90; i++)
        answers.push(await store.append(session, batch(`op ${i % 7}.${i}`, i % 5 === 0 ? ['1', '2', '3'] : ['1'])))
      for (const [i, answer] of answers.entries()) {
        const again = { ...answer, again: true }
        expect(await store.find(session, `op ${i % 7}.${i}`)).toEqual(again)
        if (i % 9 === 0) expect(await store.append(session, batch(`op ${i % 7}.${i}`, ['x']))).toEqual(again)
      }
      expect(await store.find(session, 'op 0')).toBeUndefined()
      expect((await store.head(session)).head).toBe(answers.at(-1)!.last)
    }))

  it('another session may use the same operation id', () =>
    using(harness, async (store, session) => {
      await store.append(session, batch('a', ['1']))
      expect(await store.append(`${session}-b`, batch('a', ['2']))).toMatchObject({ first: 1, again: false })
      await store.purge(`${session}-b`)
    }))
}

function conflicts(harness: StoreHarness): void {
  it('an append that expects another head is a conflict, says what it is, and leaves nothing', () =>
    using(harness, async (store, session) => {
      await store.append(session, batch('a', ['1']))
      const failure = await store.append(session, batch('b', ['2', '3'], 0)).catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'conflict', detail: { expected: 0, actual: 1 } })
      expect(await code(store.append(session, batch('c', ['2'], 7)))).toBe('conflict')
      expect(await code(store.append(`${session}-new`, batch('c', ['2'], 7)))).toBe('conflict')
      expect(await bodies(store, session)).toEqual(['1'])
      expect(await store.find(session, 'b')).toBeUndefined()
    }))
}
