/**
 * Cases and defects of earlier agents about stored conversations: sessions, recovery, resume, paging, revert.
 * Ids in brackets number the cases of earlier agents' test suites, so that none gets lost; each title describes its
 * case.
 */
import { describe, expect, it } from 'vitest'
import { type Cause, causes, causeText, isSynthetic } from '../../src/index.ts'
import { inUse } from '../../src/session/in-process-lock.ts'
import { memoryStore, openSession, type Session, type Store } from '../../src/session.ts'
import { parseHistory } from '../../src/testing/index.ts'
import { notationOf } from '../shorthand.ts'

const options = { provider: 'openai' } as const
const open = (store: Store, id = 's'): Promise<Session> => openSession(store, id, options)

/** `U A{a} R(a)` in the chat dialect. */
function expand(short: string): { role: string; content: string | null; tool_call_id?: string }[] {
  return parseHistory(notationOf(short), 'openai-chat') as ReturnType<typeof expand>
}

/** Results alone: cut out of a talk in which they are answers. */
function results(short: string, ids: string): ReturnType<typeof expand> {
  return expand(`A{${ids}} ${short}`).slice(1)
}

async function contents(session: Session): Promise<(string | null)[]> {
  return ((await session.history()) as { content: string | null }[]).map((one) => one.content)
}

async function summarize(session: Session, count: number, text: string): Promise<void> {
  const { history, upTo, prefixHash } = await session.view()
  const insert = text === '' ? [] : [{ role: 'user', content: text }]
  const patch = [{ op: 'splice', path: [], index: 0, remove: history.slice(0, count), insert }] as const
  await session.replace(patch, { by: 'compaction', why: 'long', upTo, prefixHash })
}

/** A store that fails when asked to. */
function failing(): { store: Store; fail: boolean } {
  const inner = memoryStore()
  const state = { store: inner, fail: false }
  state.store = Object.assign(Object.create(inner) as Store, {
    append: async (...args: Parameters<Store['append']>) => {
      if (state.fail) throw new Error('disk gone')
      return inner.append(...args)
    },
  })
  return state
}

describe('causes and late results', () => {
  it('each cause has its own text, and none claims that the user rejected the call [U5, OD7]', async () => {
    const texts = new Set<string>()
    for (const cause of causes.filter((one) => one !== 'elided')) {
      const session = await open(memoryStore())
      await session.append(expand('U A{a}'))
      await session.abort({ cause: cause as Cause })
      const [, , last] = await contents(session)
      expect(last).toBe(causeText(cause))
      expect(last).not.toMatch(/reject|refus|denied/i)
      texts.add(last!)
    }
    expect(texts.size).toBe(causes.length - 1)
  })

  it('finished results of a half-done batch are kept on abort; only the rest is reported as aborted [U6, OD6]', async () => {
    const session = await open(memoryStore())
    await session.append(expand('U A{a,b,c}'))
    await session.append(results('R(b)', 'b'))
    await session.abort()
    await session.append(expand('U'))
    const history = (await session.history()) as ReturnType<typeof expand>
    const by = Object.fromEntries(
      history.filter((one) => one.tool_call_id).map((one) => [one.tool_call_id, isSynthetic(one.content ?? '')]),
    )
    expect(by).toEqual({ a: true, b: false, c: true })
  })

  it('a late real result replaces the synthetic one that was written [U6, OD8]', async () => {
    const store = memoryStore()
    const session = await open(store)
    await session.append(expand('U A{a}'))
    await session.append(expand('U A'))
    const late = results('R(a)', 'a')
    await session.append(late)
    const history = (await session.history()) as ReturnType<typeof expand>
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
    expect(history[2]).toEqual(late[0])
    expect(await (await open(store)).history()).toEqual(history)
  })

  it('synthetic results are written right after their round, not at the end of the conversation [OD9]', async () => {
    const session = await open(memoryStore())
    await session.append(expand('U A{a,b}'))
    await session.append(expand('U A'))
    expect(((await session.raw()) as ReturnType<typeof expand>).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'assistant',
    ])
  })
})

describe('recovery', () => {
  it('recovery: a restart restores the messages; open calls are answered; a clean pair gets no second result', async () => {
    const store = memoryStore()
    await (await open(store)).append(expand('U A{a} R(a) A{b}'))
    const again = await open(store)
    expect(again.found.open.map(({ id, cause }) => [id, cause])).toEqual([['b', 'crashed']])
    const history = (await again.history()) as ReturnType<typeof expand>
    expect(history.filter((one) => one.tool_call_id === 'a')).toHaveLength(1)
    expect(history.at(-1)).toMatchObject({ tool_call_id: 'b', content: causeText('crashed') })
    expect(again.head).toBe(4)
  })

  it('a broken stream keeps its content: the finished call is stored before, the next turn is accepted [BD15]', async () => {
    const session = await open(memoryStore())
    await session.append(expand('U A{a} R(a)'))
    await session.append([{ role: 'assistant', content: 'It is su' }], { incomplete: true })
    await session.mark('failed', 'stream cut')
    await session.append(expand('U'))
    expect(await contents(session)).toContain('It is su')
    expect((await session.entries()).filter((one) => one.incomplete)).toHaveLength(1)
  })

  it('a rejected prompt never becomes history: the stored view is unchanged [U15]', async () => {
    const store = memoryStore()
    const session = await open(store)
    await session.append(expand('U A'))
    const before = await session.history()
    await session.append(expand('U'), { proposed: true, operationId: 'p' })
    await session.reject('p', '400')
    expect(await session.history()).toEqual(before)
    expect(await (await open(store)).history()).toEqual(before)
  })

  it('O14 abort when idle and a second abort change nothing that is sent', async () => {
    const session = await open(memoryStore())
    await session.abort()
    await session.append(expand('U A{a}'))
    await session.abort()
    const once = await session.history()
    await session.abort()
    expect(await session.history()).toEqual(once)
  })
})

describe('one at a time', () => {
  it('one compaction at a time: calls meanwhile share its outcome; a failure clears it; sessions are independent [B9]', async () => {
    const store = memoryStore()
    const [one, two, other] = [await open(store), await open(store), await open(store, 'other')]
    let runs = 0
    const work = async () => ++runs
    const [a, b] = [one.once('compact', work), two.once('compact', work)]
    expect(a).toBe(b)
    expect(await Promise.all([a, b, other.once('compact', work)])).toEqual([1, 1, 2])
    await expect(one.once('compact', async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await one.once('compact', work)).toBe(3)
    expect(inUse(store)).toBe(0)
  })

  it('turns of one session run one after the other; a failing one does not affect the next; nothing is leaked [B10]', async () => {
    const store = memoryStore()
    const [one, two] = [await open(store), await open(store)]
    const order: string[] = []
    const turn =
      (name: string, fails = false) =>
      async () => {
        order.push(`${name}:start`)
        await new Promise((done) => setTimeout(done, 1))
        order.push(`${name}:end`)
        if (fails) throw new Error(name)
      }
    const outcomes = await Promise.allSettled([
      one.inTurn(turn('A', true)),
      two.inTurn(turn('B')),
      one.inTurn(turn('C')),
    ])
    expect(order).toEqual(['A:start', 'A:end', 'B:start', 'B:end', 'C:start', 'C:end'])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    await new Promise((done) => setImmediate(done))
    expect(inUse(store)).toBe(0)
  })

  it('appends while a compaction runs are all there, in order, after what it left; 1,000 of them [U10, L12]', async () => {
    const session = await open(memoryStore())
    await session.append(expand('U A U A'))
    const { history, upTo, prefixHash } = await session.view()
    const appends = Array.from({ length: 1000 }, (_, i) => session.append([{ role: 'user', content: `n${i}` }]))
    const patch = [
      { op: 'splice', path: [], index: 0, remove: history.slice(0, 2), insert: [{ role: 'user', content: 'S' }] },
    ] as const
    await session.replace(patch, { by: 'c', why: 'c', upTo, prefixHash })
    await Promise.all(appends)
    expect((await contents(session)).slice(3)).toEqual(Array.from({ length: 1000 }, (_, i) => `n${i}`))
  })

  it('two compactions in two processes: the second is a conflict and loses nothing [U10]', async () => {
    const store = memoryStore()
    const [one, two] = [await open(store), await open(store)]
    await one.append(expand('U A U A'))
    await two.refresh()
    const theirs = await two.view()
    await summarize(one, 2, 'S1')
    const patch = [{ op: 'splice', path: [], index: 0, remove: theirs.history.slice(0, 2), insert: [] }] as const
    await expect(two.replace(patch, { ...theirs, by: 'c', why: 'c' })).rejects.toMatchObject({ code: 'conflict' })
    expect((await contents(two))[0]).toBe('S1')
  })
})

describe('the log', () => {
  it('head and summary are one record: a write that fails leaves the head where it was [BD13]', async () => {
    const state = failing()
    const session = await open(state.store)
    await session.append(expand('U A U A'))
    const before = await session.history()
    state.fail = true
    await expect(summarize(session, 2, 'S')).rejects.toThrow('disk gone')
    state.fail = false
    expect(await session.history()).toEqual(before)
    expect(await (await open(state.store)).history()).toEqual(before)
    await summarize(session, 2, 'S')
    expect(await session.raw()).toHaveLength(4)
  })

  it('an assistant message that is stored again is stored once [BD14]', async () => {
    const session = await open(memoryStore())
    await session.append(expand('U'))
    const answer = expand('U A').slice(1)
    await session.append(answer, { operationId: 'answer' })
    await session.append(answer, { operationId: 'answer' })
    expect(await session.raw()).toHaveLength(2)
  })

  it('the view is prefix-stable: an append keeps the sent bytes, an open call changes only the end [L13]', async () => {
    const session = await open(memoryStore())
    const parts = ['U A{a} R(a) A', 'U A{b,c}', 'U A', 'U A{d} R(d)', 'A']
    let sent = ''
    for (const part of parts) {
      await session.append(expand(part))
      const now = JSON.stringify(await session.history())
      expect(now.startsWith(sent.slice(0, -1))).toBe(true)
      sent = now
    }
  })

  it('unknown and unreadable records are skipped and counted; a malformed patch leaves the view; positions continue [L39]', async () => {
    const store = memoryStore()
    const session = await open(store)
    await session.append(expand('U A'))
    const bad = [
      ['patch', '{"by":"x"}'],
      ['patch', 'no json'],
      ['mark', '{"mark":"from the future"}'],
      ['mark', 'nor this'],
    ] as const
    for (const [kind, body] of bad)
      await store.append('s', { op: body, expectedHead: 'any', drafts: [{ kind, body, digest: body }] })
    const again = await open(store)
    expect([again.head, again.found.damaged]).toEqual([6, [3, 4, 6]])
    expect(await again.history()).toEqual(await session.history())
    expect((await again.append(expand('U'))).positions).toEqual([7])
  })

  it('a write that fails leaves memory as it was, with the true error [L39]', async () => {
    const state = failing()
    const session = await open(state.store)
    await session.append(expand('U A{a}'))
    const before = [await session.history(), session.head, session.open]
    state.fail = true
    for (const work of [
      () => session.append(expand('U')),
      () => session.revert(1),
      () => session.abort(),
      () => session.append([], { accept: 'x' }),
    ]) {
      await expect(work()).rejects.toThrow('disk gone')
      expect([await session.history(), session.head, session.open]).toEqual(before)
    }
  })

  it('session_persistence: order, authors and branches outlive a restart', async () => {
    const store = memoryStore()
    const session = await openSession(store, 's', { ...options, model: 'gpt-5' })
    await session.append(expand('U A U A'))
    await session.fork(1, 'branch')
    const [again, branch] = [await open(store), await open(store, 'branch')]
    expect((await again.entries()).map(({ position, author }) => [position, author?.model])).toEqual([
      [1, undefined],
      [2, 'gpt-5'],
      [3, undefined],
      [4, 'gpt-5'],
    ])
    expect(await branch.raw()).toEqual((await again.raw()).slice(0, 2))
    expect((await branch.entries())[1]!.author?.model).toBe('gpt-5')
  })
})

describe('cuts', () => {
  it('the newest page has the newest message, and pages leave no message out at any length [BD16]', async () => {
    const session = await open(memoryStore())
    for (let i = 0; i < 40; i++)
      await session.append(
        Array.from({ length: 60 }, (_, k) => ({ role: k % 2 ? 'assistant' : 'user', content: `${i} ${k}` })),
      )
    const first = await session.page({ size: 1000 })
    expect((first.messages.at(-1) as { content: string }).content).toBe('39 59')
    let [count, cursor] = [first.messages.length, first.cursor]
    while (cursor !== undefined) {
      const page = await session.page({ size: 1000, cursor })
      count += page.messages.length
      cursor = page.cursor
    }
    expect(count).toBe(2400)
  })

  it('taking the last turn back leaves the turn before it with its answer [BD17]', async () => {
    const session = await open(memoryStore())
    await session.append(expand('U A U A{a} R(a) A'))
    await session.revert(2)
    expect(((await session.raw()) as ReturnType<typeof expand>).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('replay and resume: values that are not numbers are rejected and change nothing; the last turns include all their tools', async () => {
    const session = await open(memoryStore())
    await session.append(expand('U A{a,b} R(a) R(b) A U A{c} R(c) A{d} R(d) A'))
    const before = await session.history()
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1.5, -1]) {
      await expect(session.exportLast(bad)).rejects.toMatchObject({ code: 'bad-option' })
      await expect(session.page({ size: bad })).rejects.toMatchObject({ code: 'bad-option' })
      await expect(session.revert(bad)).rejects.toMatchObject({ code: 'no-such-turn' })
      await expect(session.replayFrom(bad)).rejects.toMatchObject({ code: 'no-such-turn' })
      await expect(session.fork(bad, 'f')).rejects.toMatchObject({ code: 'no-such-turn' })
    }
    expect(await session.history()).toEqual(before)
    expect(await session.exportLast(1)).toEqual(before.slice(5))
    expect(await session.exportLast(9)).toEqual(before)
  })

  it('export, fork, replay and pages never split a pair, wherever a late result is [U11]', async () => {
    const session = await open(memoryStore())
    await session.append(expand('U A{a}'))
    await session.append(expand('U A'))
    await session.append(results('R(a)', 'a'))
    await session.append(expand('U A'))
    const known = await session.turns()
    expect(known).toHaveLength(2)
    for (let turn = 1; turn <= known.length; turn++) {
      const messages = (await (await session.fork(turn, `f${turn}`)).raw()) as ReturnType<typeof expand>
      const real = messages.filter((one) => one.tool_call_id === 'a' && !isSynthetic(one.content ?? ''))
      expect(real).toHaveLength(1)
    }
    expect(await session.exportLast(1)).toHaveLength(2)
  })

  it('a branch keeps its past when the past of its origin is replaced, and outlives its origin [OD17]', async () => {
    const store = memoryStore()
    const session = await open(store)
    await session.append(expand('U A U A U A'))
    const branch = await session.fork(2, 'branch')
    const before = await branch.history()
    await summarize(session, 4, 'S')
    const later = await session.fork(3, 'later')
    expect((await contents(later))[0]).toBe('S')
    expect(await later.raw()).toHaveLength(6)
    await session.forget()
    expect(await (await open(store, 'branch')).history()).toEqual(before)
    await later.undo()
    expect(await later.history()).toHaveLength(6)
  })

  it('replay and resume: revert and replacement replay in order, and positions continue', async () => {
    const store = memoryStore()
    const session = await open(store)
    await session.append(expand('U A U A'))
    await summarize(session, 2, 'S')
    await session.append(expand('U A'))
    await session.revert(3)
    await session.append(expand('U'))
    const again = await open(store)
    expect(await again.history()).toEqual(await session.history())
    expect((await again.append(expand('U A').slice(1))).positions).toEqual([session.head + 1])
  })
})
