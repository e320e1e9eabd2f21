import { describe, expect, it } from 'vitest'
import { causeText } from '../core/index.ts'
import { memoryStore, type OpenOptions, openSession } from '../session.ts'
import { parseHistory } from '../testing/index.ts'
import type { Session, Store } from './index.ts'

let made = 0
const ids = () => () => `op${made++}`

function chat(text: string): unknown[] {
  return parseHistory(text, 'openai-chat') as unknown[]
}

async function fresh(store: Store = memoryStore(), options: Partial<OpenOptions> = {}): Promise<Session> {
  return openSession(store, 's', { provider: 'openai', ids: ids(), ...options })
}

const ask = chat('user: weather?')
const call = chat('assistant: call a weather | call b news')
const resultA = chat('assistant: call a weather\ntool: result a sunny').slice(1)
const resultB = chat('assistant: call b weather\ntool: result b calm').slice(1)
const answer = chat('assistant: sunny and calm')

describe('append', () => {
  it('returns the messages verbatim, in this object and in the next', async () => {
    const store = memoryStore()
    const session = await fresh(store)
    const all = [...ask, ...call, ...resultA, ...resultB, ...answer]
    expect(await session.append(all)).toEqual({ positions: [1, 2, 3, 4, 5], head: 5, again: false })
    expect(await session.raw()).toEqual(all)
    expect(await session.history()).toEqual(all)
    const again = await fresh(store)
    expect(await again.history()).toEqual(all)
    expect(again.found).toEqual({ open: [], proposed: [], damaged: [], owner: null })
  })

  it('what the caller does to a message afterwards changes nothing', async () => {
    const session = await fresh()
    const message = { role: 'user', content: 'a' }
    await session.append([message])
    message.content = 'b'
    expect(await session.raw()).toEqual([{ role: 'user', content: 'a' }])
  })

  it('two objects on one session: the second is a conflict until it has read', async () => {
    const store = memoryStore()
    const [one, two] = [await fresh(store), await fresh(store)]
    await one.append(ask)
    await expect(two.append(ask)).rejects.toMatchObject({ code: 'conflict', detail: { expected: 0, actual: 1 } })
    expect(await two.raw()).toEqual([])
    await two.append(answer, { expectedHead: 'any' })
    expect(await two.raw()).toEqual([...ask, ...answer])
    await expect(one.append(answer)).rejects.toMatchObject({ code: 'conflict' })
    expect(await one.refresh()).toBe(2)
    expect(await one.raw()).toEqual([...ask, ...answer])
  })

  it('what is not JSON is rejected and leaves nothing', async () => {
    const session = await fresh()
    await expect(session.append([{ role: 'user', content: 1n }])).rejects.toMatchObject({ code: 'bad-option' })
    await expect(session.append([undefined])).rejects.toMatchObject({ code: 'bad-option' })
    expect(session.head).toBe(0)
  })
})

describe('open calls', () => {
  it('are closed in the view, and in the log only when the conversation continues', async () => {
    const session = await fresh()
    await session.append([...ask, ...call])
    expect(session.open.map(({ id, cause }) => [id, cause])).toEqual([
      ['a', 'lost'],
      ['b', 'lost'],
    ])
    expect(await session.history()).toHaveLength(4)
    expect(await session.raw()).toHaveLength(2)
    await session.append(resultA)
    expect(session.open.map(({ id }) => id)).toEqual(['b'])
    expect(await session.append(chat('user: and?'))).toMatchObject({ positions: [5], head: 5 })
    const entries = await session.entries()
    expect(entries.map(({ synthetic }) => synthetic)).toEqual([undefined, undefined, undefined, ['lost'], undefined])
    expect(await session.history()).toEqual(await session.raw())
  })

  it('after a crash they read crashed, after an abort aborted, each call its own', async () => {
    const store = memoryStore()
    await (await fresh(store)).append([...ask, ...call])
    const later = await fresh(store)
    expect(later.found.open).toEqual([
      { id: 'a', name: 'weather', cause: 'crashed' },
      { id: 'b', name: 'news', cause: 'crashed' },
    ])
    await later.abort({ cause: 'aborted-while-running', calls: { b: 'aborted-before-start' } })
    const texts = ((await later.history()) as { content: string }[]).slice(2).map(({ content }) => content)
    expect(texts).toEqual([causeText('aborted-while-running'), causeText('aborted-before-start')])
    const third = await fresh(store)
    expect(await third.history()).toEqual(await later.history())
  })

  it('an abort of nothing writes nothing', async () => {
    const session = await fresh()
    await session.append([...ask, ...answer])
    await session.abort()
    expect(session.head).toBe(2)
  })

  it('a late real result beats the synthetic one, in place', async () => {
    const session = await fresh()
    await session.append([...ask, ...call, ...resultA])
    await session.append(chat('user: and?\nassistant: hm'))
    await session.append(resultB)
    const history = (await session.history()) as { content: string }[]
    expect(history.map(({ content }) => content)).toEqual(['weather?', null, 'sunny', 'calm', 'and?', 'hm'])
  })
})

describe('proposals', () => {
  it('are no part of the conversation before they are accepted', async () => {
    const store = memoryStore()
    const session = await fresh(store)
    await session.append([...ask, ...answer])
    const more = chat('user: more')
    await session.append(more, { proposed: true, operationId: 'p' })
    expect(await session.history()).toEqual([...ask, ...answer])
    expect(await session.history({ proposedBy: 'p' })).toEqual([...ask, ...answer, ...more])
    const again = await fresh(store)
    expect(again.found.proposed).toEqual(['p'])
    expect(await again.history({ proposedBy: 'p' })).toEqual([...ask, ...answer, ...more])
    await again.append(answer, { accept: 'p', operationId: 'q' })
    expect(await again.history()).toEqual([...ask, ...answer, ...more, ...answer])
    expect(await again.append(answer, { accept: 'p', operationId: 'q' })).toMatchObject({ again: true })
    expect(await (await fresh(store)).history()).toEqual([...ask, ...answer, ...more, ...answer])
  })

  it('rejected ones leave the view as it was', async () => {
    const session = await fresh()
    await session.append([...ask, ...call])
    const before = await session.history()
    await session.append(chat('user: no'), { proposed: true, operationId: 'p' })
    await session.reject('p', 'rejected')
    expect(await session.history()).toEqual(before)
    await session.append([...resultA, ...resultB])
    expect(await session.raw()).toEqual([...ask, ...call, ...resultA, ...resultB])
  })
})

describe('replace', () => {
  it('puts a summary in place of the beginning; the raw line stays; undo brings it back', async () => {
    const store = memoryStore()
    const session = await fresh(store)
    await session.append([...ask, ...answer])
    await session.append([...chat('user: second'), ...answer])
    const { history, upTo, prefixHash } = await session.view()
    const summary = { role: 'user', content: 'summary' }
    const patch = [{ op: 'splice', path: [], index: 0, remove: history.slice(0, 2), insert: [summary] }] as const
    await session.append(chat('user: third'))
    await session.replace(patch, { by: 'compaction', why: 'long', upTo, prefixHash, operationId: 'c' })
    const wanted = [summary, ...chat('user: second'), ...answer, ...chat('user: third')]
    expect(await session.history()).toEqual(wanted)
    expect(await session.raw()).toHaveLength(5)
    expect(
      await session.replace(patch, { by: 'compaction', why: 'long', upTo, prefixHash, operationId: 'c' }),
    ).toMatchObject({ again: true })
    expect(await (await fresh(store)).history()).toEqual(wanted)
    await expect(session.replace(patch, { by: 'x', why: 'y', upTo, prefixHash })).rejects.toMatchObject({
      code: 'conflict',
    })
    await session.undo()
    expect(await session.history()).toEqual(await session.raw())
    await expect(session.undo()).rejects.toMatchObject({ code: 'nothing-to-undo' })
    expect(await (await fresh(store)).history()).toEqual(await session.raw())
  })

  it('nests, and a revert into what it replaced restores the original messages', async () => {
    const session = await fresh()
    for (const n of [1, 2, 3, 4]) await session.append([...chat(`user: q${n}`), ...chat(`assistant: a${n}`)])
    const squeeze = async (count: number, text: string) => {
      const { history, upTo, prefixHash } = await session.view()
      const insert = [{ role: 'user', content: text }]
      await session.replace([{ op: 'splice', path: [], index: 0, remove: history.slice(0, count), insert }], {
        by: 't',
        why: 't',
        upTo,
        prefixHash,
      })
    }
    await squeeze(2, 's1')
    await squeeze(3, 's2')
    const content = async () => ((await session.history()) as { content: string }[]).map((one) => one.content)
    expect(await content()).toEqual(['s2', 'q3', 'a3', 'q4', 'a4'])
    await session.revert(4)
    expect(await content()).toEqual(['s2', 'q3', 'a3'])
    await session.undo()
    await session.revert(2)
    expect(await content()).toEqual(['s1'])
    await session.undo()
    expect(await content()).toEqual(['s2', 'q3', 'a3', 'q4', 'a4'])
    await session.undo()
    expect(await content()).toEqual(['s1', 'q2', 'a2', 'q3', 'a3', 'q4', 'a4'])
  })
})

describe('turns', () => {
  const talk = async (store = memoryStore()) => {
    const session = await fresh(store)
    await session.append([...ask, ...call, ...resultA, ...resultB, ...answer])
    await session.append(chat('user: second\nassistant: call c x\ntool: result c 1\nassistant: two'))
    await session.append(chat('user: third\nassistant: three'))
    return session
  }

  it('pages have whole turns at any size, and stay valid after appends', async () => {
    const session = await talk()
    const whole = await session.raw()
    for (const from of ['newest', 'oldest'] as const) {
      for (let size = 1; size < 14; size++) {
        const pages: (readonly unknown[])[] = []
        let page = await session.page({ from, size })
        for (;;) {
          pages.push(page.messages)
          if (!page.cursor) break
          page = await session.page({ from, size, cursor: page.cursor })
        }
        expect((from === 'newest' ? pages.reverse() : pages).flat()).toEqual(whole)
      }
    }
    const { cursor } = await session.page({ size: 1 })
    await session.append(chat('user: fourth\nassistant: four'))
    expect((await session.page({ size: 1, cursor: cursor! })).messages).toHaveLength(4)
    await session.revert(3)
    await expect(session.page({ size: 1, cursor: cursor! })).rejects.toMatchObject({ code: 'stale-cursor' })
  })

  it('revert, replay, export and fork all cut between turns', async () => {
    const store = memoryStore()
    const session = await talk(store)
    expect((await session.turns()).map(({ name }) => name)).toEqual(['turn 1', 'turn 2', 'turn 3'])
    expect(await session.exportLast(1)).toEqual(chat('user: third\nassistant: three'))
    expect(await session.replayFrom(2)).toEqual({
      history: [...ask, ...call, ...resultA, ...resultB, ...answer],
      prompt: chat('user: second'),
    })
    const fork = await session.fork(2, 'branch')
    expect(await fork.raw()).toEqual((await session.raw()).slice(0, 9))
    await session.revert(2)
    expect(await session.raw()).toHaveLength(5)
    expect(await fork.raw()).toHaveLength(9)
    await session.append(chat('user: other\nassistant: yes'))
    expect(await session.raw()).toHaveLength(7)
    expect(await (await fresh(store)).raw()).toHaveLength(7)
    await expect(session.revert(9)).rejects.toMatchObject({ code: 'no-such-turn' })
    expect((await session.verify()).valid && (await fork.verify()).valid).toBe(true)
  })
})

describe('snapshots', () => {
  it('a session opened from one is as if folded from the start', async () => {
    const store = memoryStore()
    const session = await fresh(store, { snapshotEvery: 5 })
    await session.append([...ask, ...call])
    await session.append(resultA)
    await session.mark('begun')
    await session.append(chat('user: p'), { proposed: true, operationId: 'p' })
    await session.append(resultB)
    await session.append([...answer, ...ask, ...call], { accept: 'p' })
    expect((await store.head('s')).snapshot).toBeGreaterThan(0)
    const again = await fresh(store)
    expect(await again.raw()).toEqual(await session.raw())
    expect(again.open.map(({ id }) => id)).toEqual(['a', 'b'])
    expect((await again.history()).slice(0, -2)).toEqual((await session.history()).slice(0, -2))
    expect((await session.verify()).valid).toBe(true)
  })
})

it('a lease keeps a paused writer out', async () => {
  const store = memoryStore()
  const [paused, next] = [await fresh(store), await fresh(store)]
  await paused.claim('one')
  await paused.append(ask)
  await expect(next.claim('two')).rejects.toMatchObject({ code: 'conflict' })
  await next.claim('two', { takeOver: true })
  await next.append(answer)
  await expect(paused.append(ask, { expectedHead: 'any' })).rejects.toMatchObject({ code: 'fenced' })
  expect(await paused.raw()).toEqual(ask)
  expect(await next.raw()).toEqual([...ask, ...answer])
})

it('forgets on request', async () => {
  const store = memoryStore()
  const session = await fresh(store)
  await session.append(ask)
  await session.forget()
  expect(await session.raw()).toEqual([])
  expect(await store.list('', 9)).toEqual([])
  await session.append(answer)
  expect(await session.raw()).toEqual(answer)
})
