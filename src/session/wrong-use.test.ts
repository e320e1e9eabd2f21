/** Wrong use of sessions and stores: an error that names it, and nothing is stored. */

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { skippable } from '../../test/skip-reasons.ts'
import { openSession } from '../../test/untyped-api.ts'
import { memoryStore, openStore, type Session, type Store } from '../session.ts'

const user = (text: string) => ({ role: 'user', content: text })
const says = (text: string) => ({ role: 'assistant', content: text })
const opened = (store: Store, id = 'c', provider = 'anthropic') => openSession(store, id, { provider })
const wrong = (message: RegExp, code = 'bad-option') =>
  expect.objectContaining({ name: 'SutureError', code, message: expect.stringMatching(message) })
// biome-ignore lint/suspicious/noExplicitAny: wrong use is what no type allows.
type Any = any

describe('an append of a value that is not a message', () => {
  const circle: Record<string, unknown> = { role: 'user' }
  circle['self'] = circle
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ['a string', 'hi', /array of messages, but got "hi"/],
    ['an object', {}, /array of messages/],
    ['nothing', undefined, /but got undefined/],
    ['a message by itself', user('hi'), /with the keys role, content/],
    ['null in the list', [user('a'), null], /Message 2 of 2 must be an object, but got null/],
    ['undefined in the list', [undefined], /Message 1 of 1/],
    ['a hole in the list', new Array(1), /Message 1 of 1/],
    ['strings in the list', ['hi'], /must be an object, but got "hi"/],
    ['a list in the list', [[user('a')]], /must be an object, but got an array/],
    ['a function', [() => 'hi'], /must be an object, but got a function/],
    ['a symbol', [Symbol('hi')], /must be an object, but got Symbol\(hi\)/],
    ['a date', [new Date(0)], /must be an object/],
    ['a boxed string', [new String('hi')], /must be an object/],
    ['an empty object', [{}], /without fields/],
    ['fields of undefined only', [{ role: undefined }], /without fields/],
    ['a function as content', [{ role: 'user', content: () => 'hi' }], /a function as "content"/],
    ['a symbol as content', [{ role: 'user', content: Symbol('x') }], /as "content"/],
    ['undefined in the content', [{ role: 'user', content: [undefined] }], /element in "content"/],
    ['a circle', [circle], /not JSON/],
    ['a BigInt', [{ role: 'user', content: 1n }], /not JSON/],
    ['a toJSON that throws', [{ toJSON: () => JSON.parse('{') }], /cannot be written as JSON/],
  ]
  it.each(cases)('%s', async (_name, messages, message) => {
    const session = await opened(memoryStore())
    await expect(session.append(messages as Any)).rejects.toEqual(wrong(message))
    expect([session.head, await session.raw()]).toEqual([0, []])
    await session.append([user('still works')])
  })

  it('instances with `toJSON` are stored as their JSON, and keys with undefined are left out', async () => {
    const session = await opened(memoryStore())
    class Message {
      toJSON() {
        return user('hi')
      }
    }
    await session.append([new Message(), { ...says('yes'), tool_calls: undefined }])
    expect(await session.raw()).toEqual([user('hi'), says('yes')])
  })
})

describe('wrong arguments of a session', () => {
  const cases: [string, (session: Any) => unknown, RegExp, string?][] = [
    ['append: a mistyped option', (s) => s.append([user('a')], { operationID: 'x' }), /Did you mean "operationId"/],
    ['append: an empty operation', (s) => s.append([user('a')], { operationId: '' }), /must be a non-empty string/],
    ['append: a wrong place', (s) => s.append([user('a')], { expectedHead: 'last' }), /"any" or "results"/],
    ['append: a wrong cause', (s) => s.append([user('a')], { synthetic: ['crashd'] }), /Did you mean "crashed"/],
    ['page: from', (s) => s.page({ from: 'latest' }), /one of newest, oldest/],
    ['page: a mistyped option', (s) => s.page({ form: 'newest' }), /Did you mean "from"/],
    ['page: a size', (s) => s.page({ size: Number.NaN }), /size of a page must be an integer from 1, but got NaN/],
    ['history: a mistyped option', (s) => s.history({ propsed: 'x' }), /Did you mean "proposedBy"/],
    ['exportLast', (s) => s.exportLast(Number.NaN), /whole number from 0, but got NaN/],
    ['revert: no number', (s) => s.revert('first'), /number of a turn, a whole number from 1, but got "first"/],
    ['revert: NaN', (s) => s.revert(Number.NaN), /no turn NaN; the session has 1/, 'no-such-turn'],
    ['revert: none of that number', (s) => s.revert(9), /no turn 9/, 'no-such-turn'],
    ['replayFrom', (s) => s.replayFrom(undefined), /but got undefined/],
    ['undo: a mistyped option', (s) => s.undo({ whay: 'x' }), /Did you mean "why"/],
    ['undo: nothing', (s) => s.undo(), /nothing to undo/, 'nothing-to-undo'],
    ['fork: an empty id', (s) => s.fork(1, ''), /must be a non-empty string/],
    ['fork: no id', (s) => s.fork(1), /must be a non-empty string of .*, but got undefined/],
    ['fork: no turn', (s) => s.fork({}, 'd'), /number of a turn/],
    ['mark', (s) => s.mark('beginning'), /one of begun, ended, failed, note/],
    ['abort: a cause', (s) => s.abort({ cause: 'lots' }), /did you mean "lost"/],
    ['abort: a cause of a call', (s) => s.abort({ calls: { x: 'crash' } }), /Unknown cause "crash"/],
    ['reject', (s) => s.reject(), /operationId of reject/],
    ['replace: no patch', (s) => s.replace({}, {}), /A patch must be an array/],
    ['replace: no options', (s) => s.replace([{}]), /\{ by, why, upTo, prefixHash \}/],
    ['claim', (s) => s.claim(''), /The owner must be a non-empty string/],
    ['inTurn', (s) => s.inTurn('x'), /must be a function/],
    ['openSession: no options', () => openSession(memoryStore(), 'c', undefined as Any), /provider: 'anthropic'/],
    ['openSession: no store', () => openSession('x' as Any, 'c', { provider: 'openai' }), /openStore/],
    ['openSession: an empty id', () => opened(memoryStore(), ''), /must be a non-empty string/],
    ['openSession: no provider', () => openSession(memoryStore(), 'c', {} as Any), /id of a provider/],
    [
      'openSession: a mistyped option',
      () => openSession(memoryStore(), 'c', { provider: 'openai', modle: 'x' } as Any),
      /Did you mean "model"/,
    ],
    [
      'openSession: a mistyped provider',
      () => opened(memoryStore(), 'c', 'antropic'),
      /Did you mean "anthropic"/,
      'unknown-provider',
    ],
    [
      'openSession: ids that are none',
      async () =>
        (await openSession(memoryStore(), 'c', { provider: 'openai', ids: () => 5 as Any })).append([user('a')]),
      /What ids\(\) gives/,
    ],
  ]
  it.each(cases)('%s', async (_name, work, message, code = 'bad-option') => {
    const session = await opened(memoryStore())
    await session.append([user('a'), says('b')])
    await expect((async () => work(session))()).rejects.toEqual(wrong(message, code))
    expect(session.head).toBe(2)
  })
})

describe('an operation that is repeated', () => {
  const again = async (first: (s: Session) => Promise<unknown>, then: (s: Session) => Promise<unknown>) => {
    const store = memoryStore()
    const session = await opened(store)
    await session.append([user('a'), says('b'), user('c'), says('d')])
    await first(session)
    const { head } = session
    // From an object that has just opened the session, as after a crash.
    const later = await opened(store)
    return { outcome: await then(later).catch((error: unknown) => error), before: head, after: later.head }
  }
  const op = { operationId: 'op-1' }
  const call = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't', name: 'f', input: { n: 1 } }],
  }

  it.each<[string, (s: Session) => Promise<unknown>, (s: Session) => Promise<unknown>]>([
    ['other messages', (s) => s.append([user('e')], op), (s) => s.append([user('f')], op)],
    ['fewer messages', (s) => s.append([user('e'), says('f')], op), (s) => s.append([user('e')], op)],
    ['more messages', (s) => s.append([user('e')], op), (s) => s.append([user('e'), says('f')], op)],
    ['no longer proposed', (s) => s.append([user('e')], { ...op, proposed: true }), (s) => s.append([user('e')], op)],
    [
      'no longer incomplete',
      (s) => s.append([says('e')], { ...op, incomplete: true }),
      (s) => s.append([says('e')], op),
    ],
    ['a revert after an append', (s) => s.append([user('e')], op), (s) => s.revert(1, op)],
    ['an append after a revert', (s) => s.revert(2, op), (s) => s.append([user('e')], op)],
    ['another turn', (s) => s.revert(2, op), (s) => s.revert(1, op)],
    ['an abort after an append', (s) => s.append([call], op), (s) => s.abort(op)],
    ['a fork of another turn', (s) => s.fork(2, 'd', op), (s) => s.fork(1, 'd', op)],
  ])('%s: a conflict, and nothing is written', async (_name, first, then) => {
    const { outcome, before, after } = await again(first, then)
    expect(outcome).toEqual(wrong(/"op-1" of session .* is stored already, with other content/, 'conflict'))
    expect(after).toBe(before)
  })

  it.each<[string, (s: Session) => Promise<unknown>]>([
    ['messages', (s) => s.append([user('e'), says('f')], op)],
    ['proposed messages', (s) => s.append([user('e')], { ...op, proposed: true })],
    [
      'a message with undefined and a date in it',
      (s) => s.append([{ ...user('e'), x: undefined, at: new Date(0) }], op),
    ],
    [
      'an assistant message, by whatever model',
      (s) => s.append([says('e')], { ...op, author: { model: String(s.head) } }),
    ],
    ['made-up results', (s) => s.append([user('e')], { ...op, synthetic: ['lost'] })],
    ['a revert', (s) => s.revert(2, op)],
    ['a fork', (s) => s.fork(1, 'd', op)],
    ['a fork of all of it', (s) => s.fork(2, 'd', op)],
  ])('%s: the same again gives the first answer', async (_name, work) => {
    const { outcome, before, after } = await again(work, work)
    expect(outcome).not.toBeInstanceOf(Error)
    expect(after).toBe(before)
  })

  it('a turn that closed open calls is the same when it is repeated, although nothing is open any more', async () => {
    const store = memoryStore()
    const session = await opened(store)
    await session.append([user('a'), call])
    const first = await session.append([user('go on')], op)
    expect(await (await opened(store)).append([user('go on')], op)).toEqual({ ...first, again: true })
    await expect(session.append([user('go off')], op)).rejects.toEqual(wrong(/other content/, 'conflict'))
  })

  it('an undo is the same again, and no revert', async () => {
    const store = memoryStore()
    const session = await opened(store)
    await session.append([user('a'), says('b')])
    await session.revert(1)
    await session.undo(op)
    await session.undo(op)
    await expect(session.revert(1, op)).rejects.toEqual(wrong(/other content/, 'conflict'))
  })
})

describe('a session of another dialect', () => {
  it.each<[string, string, string]>([
    ['anthropic', 'openai', 'anthropic-messages'],
    ['openai', 'gemini', 'openai-chat'],
    ['gemini', 'anthropic', 'gemini'],
  ])('written for %s and opened for %s is rejected', async (one, other, dialect) => {
    const store = memoryStore()
    const session = await opened(store, 'c', one)
    await session.mark('begun')
    await session.append([user('a')])
    const words = new RegExp(`stored in the dialect ${dialect}.*Open it with a provider that serves ${dialect}`)
    await expect(opened(store, 'c', other)).rejects.toEqual(wrong(words, 'unknown-dialect'))
    expect((await opened(store, 'c', one)).head).toBe(2)
    const fork = await session.fork(1, 'd')
    expect((await fork.entries())[0]).not.toHaveProperty('dialect')
    await expect(opened(store, 'd', other)).rejects.toEqual(wrong(words, 'unknown-dialect'))
  })

  it('another provider of the same dialect is fine', async () => {
    const store = memoryStore()
    await (await opened(store, 'c', 'openai')).append([user('a')])
    expect((await opened(store, 'c', 'groq')).head).toBe(1)
  })
})

it('a fork onto an existing id is an error, and does not change that session', async () => {
  const store = memoryStore()
  const session = await opened(store)
  await session.append([user('a'), says('b')])
  await (await opened(store, 'taken')).append([user('mine')])
  await expect(session.fork(1, 'taken')).rejects.toEqual(
    wrong(/A session "taken" already exists.*another id/, 'conflict'),
  )
  await expect(session.fork(1, 'c')).rejects.toEqual(wrong(/A session "c" already exists/, 'conflict'))
  expect(await (await opened(store, 'taken')).raw()).toEqual([user('mine')])
})

describe('a wrong address of a store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'suture-address-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'a-file')
  writeFileSync(file, 'no database at all, and longer than a header would be')

  it.each<[string, unknown, RegExp, string?]>([
    ['nothing', undefined, /address of a store must be a non-empty string/],
    ['no text', 5, /but got 5/],
    ['a file without a scheme', './chats.db', /Did you mean "sqlite:\.\/chats\.db"/],
    ['a mistyped scheme', 'sqlit:./chats.db', /scheme "sqlit:"\. Did you mean "sqlite:"/],
    ['another database', 'mysql://user:secret@host/db', /scheme "mysql:"/],
    ['no file', 'sqlite:', /names no file/],
    ['one slash', 'postgres:/host/db', /two slashes/],
    [
      'a folder that is not there',
      `sqlite:${folder}/no/such/chats.db`,
      /the folder .*no\/such does not exist.*mkdir -p/,
      'store-failed',
    ],
    ['a folder', `sqlite:${folder}`, /it is a folder/, 'store-failed'],
    ['a file as a folder', `sqlite:${file}/chats.db`, /is not a folder/, 'store-failed'],
    ['no database', `sqlite:${file}`, /not a database/, 'store-failed'],
    [
      'a host that is none',
      'postgres://user:secret@no-such-host.invalid/db',
      /PostgreSQL at no-such-host\.invalid\/db could not be used/,
      'store-failed',
    ],
    ['a port that is none', 'postgres://user:secret@host:port/db', /cannot be read|could not be used/],
  ])('%s', async (_name, address, message, code = 'bad-option') => {
    const error = await openStore(address as string).catch((thrown: unknown) => thrown)
    expect(error).toEqual(wrong(message, code))
    expect(String(error)).not.toContain('secret')
  })

  it('nothing that listens', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    await expect(openStore(`postgres://u:secret@127.0.0.1:${port}/db`)).rejects.toEqual(
      wrong(
        new RegExp(`PostgreSQL at 127\\.0\\.0\\.1:${port}/db could not be used: nothing listens there`),
        'store-failed',
      ),
    )
  })

  const isRoot = process.getuid?.() === 0
  it.skipIf(isRoot)(skippable('a folder that may not be written', isRoot && 'root may write anywhere'), async () => {
    chmodSync(folder, 0o500)
    await expect(openStore(`sqlite:${folder}/x.db`)).rejects.toEqual(
      wrong(/may not write in the folder/, 'store-failed'),
    )
    chmodSync(folder, 0o700)
  })

  it.each<[string, object, RegExp]>([
    ['a mistyped option', { synchronos: 'full' }, /Did you mean "synchronous"/],
    ['a wrong value', { journal: 'wall' }, /did you mean "wal"/],
  ])('options: %s', async (_name, options, message) => {
    await expect(openStore('memory:', options)).rejects.toEqual(wrong(message))
  })
})
