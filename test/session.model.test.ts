/**
 * Random programs on a session, compared with a simple model of plain lists at every step.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { type Cause, causeText, repair, turns } from '../src/index.ts'
import { memoryStore, openSession, openStore, type Session, type Store } from '../src/session.ts'
import { runsOf } from './long-runs.ts'

const runs = runsOf(500, 2000, 'SUTURE_MODEL_RUNS')
const seed = Number(process.env['SUTURE_SEED'] ?? 20261117)

interface Chat {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

interface Line {
  readonly raw: readonly Chat[]
  readonly layers: readonly { readonly frozen: number; readonly head: readonly Chat[] }[]
}

/** What a session should return, in the simplest form. */
class Model {
  line: Line = { raw: [], layers: [] }
  taken: Line | undefined
  waiting = new Map<string, Chat[]>()
  cause: Cause | undefined
  left = new Set<string>()
  serial = 0

  get base(): readonly Chat[] {
    const top = this.line.layers.at(-1)
    return top ? [...top.head, ...this.line.raw.slice(top.frozen)] : this.line.raw
  }

  /** Calls of the last assistant message that nothing but results follow. */
  get open(): readonly string[] {
    const { raw } = this.line
    const at = raw.findLastIndex((one) => one.role !== 'tool')
    const calls = raw[at]?.tool_calls ?? []
    if (this.line.layers.length > 0 && this.line.layers.at(-1)!.frozen >= raw.length) return []
    const done = new Set(raw.slice(at + 1).map((one) => one.tool_call_id))
    return calls.map(({ id }) => id).filter((id) => !done.has(id))
  }

  closing(): Chat[] {
    return this.open.map((id) => ({
      role: 'tool',
      tool_call_id: id,
      content: causeText(this.cause ?? (this.left.has(id) ? 'crashed' : 'lost')),
    }))
  }

  add(messages: readonly Chat[]): void {
    const leading = messages.findIndex((one) => one.role !== 'tool')
    const results = leading < 0 ? messages : messages.slice(0, leading)
    this.push(results)
    if (leading < 0) return
    this.push(this.closing())
    this.push(messages.slice(leading))
  }

  private push(messages: readonly Chat[]): void {
    if (messages.length === 0) return
    this.line = { ...this.line, raw: [...this.line.raw, ...messages] }
    this.taken = undefined
    if (this.open.length === 0) this.cause = undefined
  }

  history(): readonly unknown[] {
    return repair([...this.base, ...this.closing()], { provider: 'openai' }).value
  }
}

interface Real {
  readonly store: Store
  session: Session
}

type Doing = (model: Model, real: Real, n: number) => Promise<void>

const user = (n: number): Chat => ({ role: 'user', content: `user ${n}` })
const assistant = (n: number): Chat => ({ role: 'assistant', content: `said ${n}` })
const called = (ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
})
const result = (id: string): Chat => ({ role: 'tool', tool_call_id: id, content: `result of ${id}` })

async function append(model: Model, { session }: Real, messages: readonly Chat[]): Promise<void> {
  const { positions } = await session.append(messages)
  expect(positions).toHaveLength(messages.length)
  model.add(messages)
}

const doings: Readonly<Record<string, Doing>> = {
  user: (model, real, n) => append(model, real, [user(n)]),
  answer: (model, real, n) => append(model, real, [assistant(n)]),
  turn: (model, real, n) => append(model, real, [user(n), assistant(n)]),
  call: (model, real, n) =>
    append(model, real, [called(Array.from({ length: 1 + (n % 3) }, () => `c${model.serial++}`))]),
  result: async (model, real, n) => {
    const { open } = model
    if (open.length > 0) await append(model, real, [result(open[n % open.length]!)])
  },
  resultAndOn: async (model, real, n) => {
    const { open } = model
    if (open.length > 0) await append(model, real, [result(open[n % open.length]!), user(n)])
  },
  abort: async (model, { session }, n) => {
    const cause = n % 2 ? 'aborted-before-start' : 'aborted-while-running'
    await session.abort({ cause })
    if (model.open.length > 0) model.cause = cause
  },
  revert: async (model, { session }, n) => {
    const known = turns(model.line.raw, { dialect: 'openai-chat' })
    if (known.length === 0) return
    const turn = 1 + (n % known.length)
    await session.revert(turn)
    const keep = known[turn - 1]!.start
    const broken = model.line.layers.findIndex(({ frozen }) => frozen > keep)
    model.taken = model.line
    model.cause = undefined
    model.line = {
      raw: model.line.raw.slice(0, keep),
      layers: broken < 0 ? model.line.layers : model.line.layers.slice(0, broken),
    }
  },
  undo: async (model, { session }) => {
    if (model.taken) {
      await session.undo()
      model.line = model.taken
      model.taken = undefined
    } else if (model.line.layers.length > 0) {
      await session.undo()
      model.line = { ...model.line, layers: model.line.layers.slice(0, -1) }
    } else await expect(session.undo()).rejects.toMatchObject({ code: 'nothing-to-undo' })
  },
  squeeze: async (model, { session }, n) => {
    const { history, upTo, prefixHash } = await session.view()
    const groups = turns(model.base, { dialect: 'openai-chat' })
    // Only if nothing was repaired: then the view and the base correspond.
    if (groups.length < 2 || history.length !== model.base.length || model.open.length > 0) return
    const end = groups[n % (groups.length - 1)]!.end
    if (JSON.stringify(history) !== JSON.stringify(model.base)) return
    const head = [{ role: 'user', content: `summary ${n}` }]
    const after = model.line.raw.length - (model.base.length - end)
    const top = model.line.layers.at(-1)
    const remove = history.slice(0, end)
    await session.replace([{ op: 'splice', path: [], index: 0, remove, insert: head }], {
      by: 'm',
      why: 'n',
      upTo,
      prefixHash,
    })
    const rest = top ? model.base.slice(end, Math.max(end, top.head.length)) : []
    const frozen = top ? Math.max(top.frozen, after) : after
    model.line = { ...model.line, layers: [...model.line.layers, { frozen, head: [...head, ...rest] }] }
    model.taken = undefined
  },
  propose: async (model, { session }, n) => {
    const op = `p${model.serial++}`
    await session.append([user(n)], { proposed: true, operationId: op })
    model.waiting.set(op, [user(n)])
  },
  accept: async (model, { session }, n) => {
    const [op] = model.waiting.keys()
    if (op === undefined) return
    await session.append([assistant(n)], { accept: op })
    model.add([...model.waiting.get(op)!, assistant(n)])
    model.waiting.delete(op)
  },
  reject: async (model, { session }) => {
    const [op] = model.waiting.keys()
    if (op === undefined) return
    await session.reject(op, 'no')
    model.waiting.delete(op)
  },
  again: async (model, { session }, n) => {
    const op = `a${model.serial++}`
    const first = await session.append([user(n)], { operationId: op })
    model.add([user(n)])
    expect(await session.append([user(n)], { operationId: op })).toEqual({ ...first, again: true })
  },
  reopen: async (model, real) => {
    real.session = await openSession(real.store, real.session.id, { provider: 'openai', snapshotEvery: 6 })
    model.left = new Set(model.open)
    expect(real.session.found.open.map(({ id }) => id)).toEqual(model.open)
    expect([...real.session.found.proposed].sort()).toEqual([...model.waiting.keys()].sort())
  },
}

/** By their text: quicker than by their structure, and stricter. */
function same(actual: unknown, wanted: unknown): void {
  expect(JSON.stringify(actual)).toBe(JSON.stringify(wanted))
}

class Command implements fc.AsyncCommand<Model, Real> {
  private readonly name: string
  private readonly n: number

  constructor(name: string, n: number) {
    this.name = name
    this.n = n
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: Real): Promise<void> {
    await doings[this.name]!(model, real, this.n)
    same(await real.session.raw(), model.line.raw)
    same(await real.session.history(), model.history())
    same(
      real.session.open.map(({ id }) => id),
      model.open,
    )
    const page = await real.session.page({ size: 1 + (this.n % 5) })
    same(page.messages, model.line.raw.slice(model.line.raw.length - page.messages.length))
  }

  toString(): string {
    return `${this.name}(${this.n})`
  }
}

const commands = fc.commands(
  Object.keys(doings).map((name) => fc.nat(60).map((n) => new Command(name, n))),
  { maxCommands: 40, size: '+1' },
)

async function check(store: () => Promise<Store>, numRuns: number): Promise<void> {
  let serial = 0
  const shared = await store()
  await fc.assert(
    fc.asyncProperty(commands, async (program) => {
      const session = await openSession(shared, `s${serial++}`, { provider: 'openai', snapshotEvery: 6 })
      await fc.asyncModelRun(() => ({ model: new Model(), real: { store: shared, session } }), program)
    }),
    { seed, numRuns },
  )
  await shared.close()
}

const folder = mkdtempSync(join(tmpdir(), 'suture-model-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe(`a session is what a plain list would be (seed ${seed})`, () => {
  it(`${runs} programs in memory`, { timeout: 600_000 }, () => check(async () => memoryStore(), runs))
  it('60 programs on SQLite', () => check(() => openStore(`sqlite:${folder}/m.db`, { synchronous: 'normal' }), 60))
})
