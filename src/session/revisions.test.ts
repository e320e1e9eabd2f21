/**
 * Earlier versions of a conversation: kept as differences, read back as they were, and in the log of a branch as well.
 */
import { describe, expect, it } from 'vitest'
import { memoryStore, openSession, RawMessage, type Session } from '../session.ts'
import { Random } from '../testing/corruptions/random.ts'
import { piecesOf, textFrom } from './text-pieces.ts'

const user = (content: string) => ({ role: 'user', content })
const says = (content: string) => ({ role: 'assistant', content })
const options = { provider: 'openai', snapshotEvery: 5 } as const
const texts = (list: readonly unknown[]) => list.map((one) => (one as { content: string }).content)
const long = 'A long text that many versions share. '.repeat(100)

async function bytesOf(session: Session): Promise<number> {
  let count = 0
  for await (const { body } of session.records()) count += body.length
  return count
}

/** A turn in which the first message is another one. */
async function revised(session: Session, n: number, content: string): Promise<void> {
  const [first] = await session.entries()
  const op = `op ${n}`
  const place = { from: first!.position, to: first!.position, by: 1 }
  const sent = { proposed: true, operationId: op, versionsOf: [first!.position, undefined] }
  await session.append([user(content), user(`turn ${n}`)], sent)
  await session.append([says(`answer ${n}`)], { accept: op, replaces: [place] })
}

it('any text from pieces of any other', () => {
  const random = new Random(7)
  const word = () => random.pick(['aa', 'ab', '💥', '"', '\\n', 'x'.repeat(40), 'the quick brown fox jumps over it '])
  for (let run = 0; run < 300; run++) {
    const words = Array.from({ length: random.below(60) }, word)
    const base = words.join('')
    for (let i = random.below(6); i > 0; i--)
      words.splice(random.below(words.length + 1), random.below(4), ...Array.from({ length: random.below(5) }, word))
    const text = words.join('')
    expect(textFrom(piecesOf(text, base), base)).toBe(text)
  }
})

describe('versions of a message', () => {
  it('are stored as differences and read back whole, also after a restart and in a branch', async () => {
    const store = memoryStore()
    const session = await openSession(store, 's', options)
    await session.append([user(`${long} 0`), says('yes')])
    const before = await bytesOf(session)
    for (let n = 1; n <= 20; n++) await revised(session, n, `${long.slice(0, 2000)}${n}${long.slice(2000)} ${n}`)
    expect(await bytesOf(session)).toBeLessThan(before + 20 * 1000 + long.length)
    const last = `${long.slice(0, 2000)}20${long.slice(2000)} 20`
    const again = await openSession(store, 's', options)
    const branch = await session.branch('b')
    for (const one of [session, again, branch]) {
      expect(texts(await one.raw())[0]).toBe(last)
      expect(texts(await one.raw()).slice(1, 5)).toEqual(['yes', 'turn 1', 'answer 1', 'turn 2'])
      const all = await one.entries({ revisions: true })
      expect(texts(all.map(({ message }) => message)).slice(0, 3)).toEqual([
        `${long} 0`,
        `${long.slice(0, 2000)}1${long.slice(2000)} 1`,
        `${long.slice(0, 2000)}2${long.slice(2000)} 2`,
      ])
      expect(all.filter(({ replacedAt }) => replacedAt !== undefined)).toHaveLength(20)
      expect(await one.verify()).toMatchObject({ valid: true })
    }
  })

  it('keep the text of a client, half surrogate pairs and numbers included', async () => {
    const session = await openSession(memoryStore(), 's', options)
    const text = (end: string) => `{ "role":"user", "content":"${'x'.repeat(300)}${end}","n":1.0 }`
    const { positions } = await session.append([new RawMessage(text('💥'))])
    const sent = { proposed: true, operationId: 'op', versionsOf: positions }
    await session.append([new RawMessage(text('💦'))], sent)
    const place = { from: positions[0]!, to: positions[0]!, by: 1 }
    await session.append([says('yes')], { accept: 'op', replaces: [place] })
    expect((await session.view()).source[0]).toMatchObject({ text: text('💦') })
    expect((await openSession((session as never as { log: { store: never } }).log.store, 's', options)).head).toBe(4)
  })

  it('that come back are not stored again, and what a turn was can be read later', async () => {
    const store = memoryStore()
    const session = await openSession(store, 's', options)
    const { positions } = await session.append([user('one'), says('1'), user('two'), says('2')])
    const [, , two, reply] = positions
    await session.append([user('TWO')], { proposed: true, operationId: 'x' })
    const first = await session.append([says('II')], { accept: 'x', replaces: [{ from: two!, to: reply!, by: 1 }] })
    const line = await session.entries()
    await session.append([user('three')], { proposed: true, operationId: 'y' })
    const replaces = [{ from: line[2]!.position, to: line[3]!.position, by: 0, back: [two!, reply!] }]
    await session.append([says('3')], { accept: 'y', replaces })
    for (const one of [session, await openSession(store, 's', options)]) {
      expect(texts(await one.raw())).toEqual(['one', '1', 'two', '2', 'three', '3'])
      expect(texts(await one.raw({ at: first.head }))).toEqual(['one', '1', 'TWO', 'II'])
      expect(texts(await one.raw({ at: positions.at(-1)! }))).toEqual(['one', '1', 'two', '2'])
      const all = await one.entries({ revisions: true })
      expect(all.map(({ message, replacedAt }) => [texts([message])[0], replacedAt !== undefined])).toEqual([
        ['one', false],
        ['1', false],
        ['TWO', true],
        ['II', true],
        ['two', false],
        ['2', false],
        ['three', false],
        ['3', false],
      ])
    }
    const twice = [{ from: positions[0]!, by: 0, back: [two!] }]
    await expect(session.append([says('x')], { replaces: twice })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('a message that was sent with one request only is a note of it', async () => {
    const session = await openSession(memoryStore(), 's', options)
    const { positions } = await session.append([user('one'), user('It is noon.'), says('1')])
    await session.append([user('two')], { proposed: true, operationId: 'x' })
    const replaces = [{ from: positions[1]!, to: positions[1]!, by: 0 }]
    await session.append([says('2')], { accept: 'x', replaces })
    const [, note] = await session.entries({ revisions: true })
    expect(note).toMatchObject({ message: user('It is noon.'), note: true })
    expect(texts(await session.raw())).toEqual(['one', '1', 'two', '2'])
  })
})

describe('settings of a turn', () => {
  const settings = (clock: string) => ({ system: `${long} It is ${clock}.`, tools: [{ name: 'look' }] })

  it('are stored when they change, and read back as of any turn', async () => {
    const store = memoryStore()
    const session = await openSession(store, 's', options)
    const heads: number[] = []
    for (const clock of ['noon', 'noon', 'one', 'two', 'noon'])
      heads.push((await session.append([user(clock), says('yes')], { settings: settings(clock) })).head)
    for (const one of [session, await openSession(store, 's', options)]) {
      expect(await one.settings()).toEqual(settings('noon'))
      expect(await one.settings({ at: heads[3]! })).toEqual(settings('two'))
      expect(await one.settings({ at: heads[1]! })).toEqual(settings('noon'))
    }
    expect(await bytesOf(session)).toBeLessThan(long.length + 5000)
    expect(await (await openSession(store, 'none', options)).settings()).toBeUndefined()
  })
})

describe('branches', () => {
  it('go on from a session without its proposals; deleting either keeps the other', async () => {
    const store = memoryStore()
    const session = await openSession(store, 's', options)
    await session.append([user('one'), says('1')])
    await session.append([user('open')], { proposed: true, operationId: 'p' })
    const branch = await session.branch('s~2')
    const aside = await session.branch('s~3', { empty: true })
    await branch.append([user('two')])
    await aside.append([user('title?')])
    await session.append([says('open too')], { accept: 'p' })
    const all = async () => Promise.all([session, branch, aside].map(async (one) => texts(await one.raw())))
    expect(await all()).toEqual([['one', '1', 'open', 'open too'], ['one', '1', 'two'], ['title?']])
    expect(await session.lineage()).toEqual({ branches: ['s~2', 's~3'] })
    expect((await branch.lineage()).base).toMatchObject({ session: 's' })
    expect((await openSession(store, 's~2', options)).found.proposed).toEqual([])
    await session.forget()
    expect((await all()).slice(1)).toEqual([['one', '1', 'two'], ['title?']])
    expect(await store.list('', 9)).toEqual(['s~2', 's~3'])
    expect(await branch.verify()).toMatchObject({ valid: true })
    const last = await branch.branch('s~4')
    await last.branch('s~5')
    await branch.forget({ withBranches: true })
    expect(await store.list('', 9)).toEqual(['s~3'])
  })
})
