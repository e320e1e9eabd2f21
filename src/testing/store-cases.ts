/** Cases of the store suite: races, leases, unusual text and reopening. */
import { expect, it } from 'vitest'
import type { Batch } from '../session/index.ts'
import { batch, bodies, code, expectChain, type StoreHarness, using } from './store-pieces.ts'

export function races(harness: StoreHarness): void {
  it('of many that expect one head exactly one wins, and nothing partial is left', () =>
    using(harness, async (store, session) => {
      const other = await harness.open()
      const tries = Array.from({ length: 12 }, (_, i) =>
        code((i % 2 ? store : other).append(session, batch(`op${i}`, [`${i}`, `${i}`], 0))),
      )
      const outcomes = await Promise.all(tries)
      expect(outcomes.filter((one) => one === 'done')).toHaveLength(1)
      expect(outcomes.filter((one) => one === 'conflict')).toHaveLength(11)
      const [a, b, ...rest] = await bodies(store, session)
      expect([a === b, rest]).toEqual([true, []])
      if (harness.lasting !== false) await other.close()
    }))

  it('of many that expect nothing all are stored, whole batches in a row, the chain unbroken', () =>
    using(harness, async (store, session) => {
      const other = harness.lasting === false ? store : await harness.open()
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, i) =>
          (i % 2 ? store : other).append(session, batch(`op${i}`, [`${i}`, `${i}`, `${i}`])),
        ),
      )
      expect(answers.map(({ first }) => first).sort((x, y) => x - y)).toEqual(
        Array.from({ length: 24 }, (_, i) => i * 3 + 1),
      )
      const entries = await store.read(session, 1, 100)
      for (const [i, entry] of entries.entries()) expect(entry.body).toBe(entries[i - (i % 3)]!.body)
      expectChain(entries)
      if (other !== store) await other.close()
    }))
}

export function repeatedOperations(harness: StoreHarness): void {
  it('the same operation many times at once is stored once, and all get one answer', () =>
    using(harness, async (store, session) => {
      const other = harness.lasting === false ? store : await harness.open()
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => (i % 2 ? store : other).append(session, batch('one', ['1', '2']))),
      )
      expect(new Set(answers.map(({ first, last, hash }) => `${first} ${last} ${hash}`)).size).toBe(1)
      expect(answers.filter(({ again }) => !again)).toHaveLength(1)
      expect(await bodies(store, session)).toEqual(['1', '2'])
      if (other !== store) await other.close()
    }))
}

export function leases(harness: StoreHarness): void {
  it('a paused writer cannot write after a take-over', () =>
    using(harness, async (store, session) => {
      const { epoch } = await store.claim(session, 'one', { takeOver: false })
      await store.append(session, { ...batch('a', ['1']), epoch })
      expect(await code(store.claim(session, 'two', { takeOver: false }))).toBe('conflict')
      const taken = await store.claim(session, 'two', { takeOver: true })
      expect(taken.epoch).toBeGreaterThan(epoch)
      expect(await code(store.append(session, { ...batch('b', ['2']), epoch }))).toBe('fenced')
      expect(await code(store.append(session, batch('c', ['3'])))).toBe('fenced')
      await store.append(session, { ...batch('d', ['4']), epoch: taken.epoch })
      await store.release(session, epoch)
      expect(await store.head(session)).toMatchObject({ owner: 'two' })
      await store.release(session, taken.epoch)
      await store.append(session, batch('e', ['5']))
      expect(await bodies(store, session)).toEqual(['1', '4', '5'])
    }))
}

/** A session that begins with the records of another one, which are stored once. */
export function branches(harness: StoreHarness): void {
  sharedRecords(harness)
  sharedOperations(harness)
  deletions(harness)
}

function off(of: string, head: number, op: string, written: readonly string[]): Batch {
  return { ...batch(op, written), base: { session: of, head } }
}

function sharedRecords(harness: StoreHarness): void {
  it('a branch reads what it shares and goes on from there, in one chain; its base does not see it', () =>
    using(harness, async (store, session) => {
      const [one, two] = [`${session}-1`, `${session}-2`]
      for (const [op, ...written] of [
        ['a', '1', '2'],
        ['b', '3'],
        ['c', '4'],
      ] as const)
        await store.append(session, batch(op, written))
      expect(await store.append(one, off(session, 3, 'x', ['5', '6']))).toMatchObject({
        first: 4,
        last: 5,
        again: false,
      })
      await store.append(one, batch('y', ['7'], 5))
      await store.append(two, off(one, 4, 'z', ['8']))
      await store.append(session, batch('d', ['9']))
      expect(await bodies(store, session)).toEqual(['1', '2', '3', '4', '9'])
      expect(await bodies(store, one)).toEqual(['1', '2', '3', '5', '6', '7'])
      expect(await bodies(store, two)).toEqual(['1', '2', '3', '5', '8'])
      expect((await store.read(two, 2, 4)).map(({ body }) => body)).toEqual(['2', '3', '5'])
      expect((await store.read(two, 1, 2)).map(({ seq }) => seq)).toEqual([1, 2])
      for (const id of [one, two]) {
        expectChain(await store.read(id, 1, 99))
        expect((await store.head(id)).hash).toBe((await store.read(id, 1, 99)).at(-1)!.hash)
      }
      expect(await store.lineage(session)).toEqual({ branches: [one] })
      expect(await store.lineage(one)).toEqual({ base: { session, head: 3 }, branches: [two] })
      for (const id of [one, two]) await store.purge(id)
      expect(await store.lineage(session)).toEqual({ branches: [] })
    }))
}

function sharedOperations(harness: StoreHarness): void {
  it('a branch knows the operations of the records that it shares, and no later ones of its base', () =>
    using(harness, async (store, session) => {
      const branch = `${session}-1`
      const first = await store.append(session, batch('a', ['1']))
      await store.append(session, batch('b', ['2']))
      const made = await store.append(branch, off(session, 1, 'x', ['3']))
      expect(await store.append(branch, off(session, 1, 'x', ['3']))).toEqual({ ...made, again: true })
      expect(await store.append(branch, batch('a', ['other']))).toEqual({ ...first, again: true })
      expect(await store.find(branch, 'a')).toEqual({ ...first, again: true })
      expect(await store.find(branch, 'b')).toBeUndefined()
      expect(await store.append(branch, batch('b', ['4']))).toMatchObject({ first: 3, again: false })
      expect(await store.append(`${session}-2`, off(session, 2, 'a', ['5']))).toEqual({ ...first, again: true })
      expect(await store.head(`${session}-2`)).toMatchObject({ head: 0 })
      await store.purge(branch)
    }))

  it('a session that exists is no branch, and nothing branches off from what is not there', () =>
    using(harness, async (store, session) => {
      await store.append(session, batch('a', ['1']))
      await store.append(`${session}-1`, batch('a', ['2']))
      expect(await code(store.append(`${session}-1`, off(session, 1, 'b', ['3'])))).toBe('conflict')
      expect(await code(store.append(`${session}-2`, off(session, 2, 'b', ['3'])))).toBe('conflict')
      expect(await code(store.append(`${session}-2`, off(`${session}-x`, 1, 'b', ['3'])))).toBe('conflict')
      expect(await bodies(store, `${session}-1`)).toEqual(['2'])
      expect(await store.head(`${session}-2`)).toMatchObject({ head: 0 })
      await store.purge(`${session}-1`)
    }))
}

function deletions(harness: StoreHarness): void {
  it.each([
    [0, 1, 2, 3],
    [1, 0, 3, 2],
    [3, 2, 1, 0],
  ])('a deleted session leaves its branches whole, and nothing else of itself (order %i %i %i %i)', (...order) =>
    using(harness, async (store, session) => {
      const ids = [session, `${session}-1`, `${session}-2`, `${session}-3`]
      for (let i = 0; i < 40; i++) await store.append(session, batch(`op${i}`, [`${i}`, `${i}+`]))
      await store.append(ids[1]!, off(session, 70, 'one', ['"one"']))
      await store.append(ids[2]!, off(ids[1]!, 20, 'two', ['"two"']))
      await store.append(ids[3]!, off(ids[1]!, 71, 'three', ['"three"']))
      for (const id of ids) for (let i = 0; i < 20; i++) await store.append(id, batch(`more${i}`, ['0', '1']))
      const before = new Map<string, string[]>()
      for (const id of ids) before.set(id, await bodies(store, id))
      for (const gone of order) {
        await store.purge(ids[gone]!)
        before.delete(ids[gone]!)
        expect(await bodies(store, ids[gone]!)).toEqual([])
        for (const [id, kept] of before) {
          expect(await bodies(store, id), id).toEqual(kept)
          expectChain(await store.read(id, 1, 1000))
          expect(await store.find(id, 'op3'), id).toMatchObject({ first: 7, last: 8 })
          expect(await store.find(id, 'more19'), id).toMatchObject({ last: kept.length })
          expect(ids[gone]).not.toBe((await store.lineage(id)).base?.session)
        }
      }
    }),
  )
}

const odd = [
  '\u0000',
  'a\ud800b',
  '\udc00',
  '💥é漢',
  "'; DROP TABLE x; --",
  '\\u0000 \\ " {} []',
  '\u2028\r\n\t',
  '$1 %s ?',
]

export function texts(harness: StoreHarness): void {
  it('gives odd text back to the letter', () =>
    using(harness, async (store, session) => {
      const written = odd.map((text) => JSON.stringify({ text, [text]: 1 }))
      await store.append(session, batch('a', written))
      for (const [i, one] of written.entries()) await store.append(session, batch(`one${i}`, [one]))
      expect(await bodies(store, session)).toEqual([...written, ...written])
    }))

  it('takes a body of megabytes and a batch of thousands', () =>
    using(harness, async (store, session) => {
      const big = JSON.stringify('x'.repeat(3_000_000))
      await store.append(session, batch('big', [big]))
      await store.append(
        session,
        batch(
          'many',
          Array.from({ length: 3000 }, (_, i) => `${i}`),
        ),
      )
      expect((await store.read(session, 1, 1))[0]!.body === big).toBe(true)
      expect(await store.head(session)).toMatchObject({ head: 3001 })
      expect((await store.read(session, 3001, 3001))[0]!.body).toBe('2999')
    }))
}

export function reopening(harness: StoreHarness): void {
  it('keeps everything when it is closed and opened again', () =>
    using(harness, async (store, session) => {
      const again = await harness.open()
      await again.append(session, batch('a', ['1', '2']))
      const { epoch } = await again.claim(session, 'me', { takeOver: false })
      await again.close()
      expect(await store.head(session)).toMatchObject({ head: 2, epoch, owner: 'me' })
      expect(await bodies(store, session)).toEqual(['1', '2'])
    }))
}
