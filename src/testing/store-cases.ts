/** Cases of the store suite: races, leases, unusual text and reopening. */
import { expect, it } from 'vitest'
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
