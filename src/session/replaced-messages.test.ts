/**
 * Accepted messages that take the place of others: the line is what was asked for, everything stays in the log, and a
 * session that is opened again reads the same.
 */
import { describe, expect, it } from 'vitest'
import { memoryStore, openSession, type Replacement, type Session } from '../session.ts'
import { Random } from '../testing/corruptions/random.ts'

const user = (content: string) => ({ role: 'user', content })
const says = (content: string) => ({ role: 'assistant', content })
const options = { provider: 'openai', snapshotEvery: 7 } as const

const texts = (messages: readonly unknown[]) => messages.map((one) => (one as { content: string }).content)

async function stored(session: Session): Promise<string[]> {
  const found: string[] = []
  for await (const { kind, body } of session.records())
    if (kind === 'message') found.push((JSON.parse(body) as { message: { content: string } }).message.content)
  return found
}

async function begun(...messages: readonly object[]) {
  const store = memoryStore()
  const session = await openSession(store, 's', options)
  await session.append(messages)
  return { store, session }
}

describe('a replaced message', () => {
  it('leaves the line and stays in the log; the reply follows', async () => {
    const { store, session } = await begun(user('one'), says('1'), user('two'), says('2'))
    const [, , from, to] = (await session.entries()).map(({ position }) => position)
    await session.append([user('TWO')], { proposed: true, operationId: 'x' })
    await session.append([says('II')], { accept: 'x', replaces: [{ from: from!, to: to!, by: 1 }] })
    await session.append([user('three')])
    for (const one of [session, await openSession(store, 's', options)]) {
      expect(texts(await one.raw())).toEqual(['one', '1', 'TWO', 'II', 'three'])
      expect(texts(await one.history())).toEqual(['one', '1', 'TWO', 'II', 'three'])
      expect(texts((await one.entries()).map(({ message }) => message))).toEqual(['one', '1', 'TWO', 'II', 'three'])
    }
    expect(await stored(session)).toEqual(['one', '1', 'two', '2', 'TWO', 'II', 'three'])
    expect(await session.verify()).toMatchObject({ valid: true })
    const fork = await session.fork(1, 'fork')
    expect(texts(await fork.raw())).toEqual(['one', '1'])
    expect(texts((await session.page({ size: 2 })).messages)).toEqual(['TWO', 'II', 'three'])
    await session.revert(2)
    expect(texts(await session.raw())).toEqual(['one', '1'])
  })

  it('that answered a call: the call is not closed, since its result is in the new message', async () => {
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    }
    const result = (content: string) => ({ role: 'tool', tool_call_id: 'c', content })
    const { session } = await begun(user('one'), call, result('first'))
    const from = (await session.entries())[2]!.position
    await session.append([result('second')], { proposed: true, operationId: 'x' })
    await session.append([says('done')], { accept: 'x', replaces: [{ from, to: from, by: 1 }] })
    expect(await session.history()).toEqual([user('one'), call, result('second'), says('done')])
  })

  it('that another writer replaced meanwhile is a conflict', async () => {
    const { store, session } = await begun(user('one'), says('1'), user('two'))
    const other = await openSession(store, 's', options)
    const from = (await session.entries())[2]!.position
    await session.append([user('TWO')], { proposed: true, operationId: 'x' })
    await other.refresh()
    await other.revert(2)
    await session.refresh()
    await expect(
      session.append([says('II')], { accept: 'x', replaces: [{ from, to: from, by: 1 }] }),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect(texts(await session.raw())).toEqual(['one', '1'])
  })
})

it('any replacements in any order give the same line in memory and read again', async () => {
  const random = new Random(20261119)
  for (let run = 0; run < 40; run++) {
    const { store, session } = await begun(user('u0'), says('a0'))
    let line = ['u0', 'a0']
    const all = [...line]
    for (let n = 1; n <= 12; n++) {
      const positions = (await session.entries()).map(({ position }) => position)
      const added = Array.from({ length: 1 + random.below(3) }, (_, i) => `u${n}.${i}`)
      await session.append(added.map(user), { proposed: true, operationId: `op${n}` })
      const replaces: Replacement[] = []
      const next: string[] = []
      let [at, taken] = [0, 0]
      for (let i = 0; i < 2 && random.below(4) > 0 && at < line.length; i++) {
        const index = at + random.below(line.length - at)
        const count = random.below(Math.min(3, line.length - index) + 1)
        const by = random.below(added.length - taken + 1)
        replaces.push({ from: positions[index]!, by, ...(count === 0 ? {} : { to: positions[index + count - 1]! }) })
        next.push(...line.slice(at, index), ...added.slice(taken, taken + by))
        at = index + count
        taken += by
      }
      await session.append([says(`a${n}`)], { accept: `op${n}`, replaces })
      line = [...next, ...line.slice(at), ...added.slice(taken), `a${n}`]
      expect(texts(await session.raw())).toEqual(line)
      all.push(...added, `a${n}`)
    }
    const again = await openSession(store, 's', options)
    expect(texts(await again.raw())).toEqual(line)
    expect(await stored(again)).toEqual(all)
    expect(await again.verify()).toMatchObject({ valid: true })
  }
})
