/**
 * Whatever is done to a session, in whatever order, the view to send is accepted by its provider at every step.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Endpoint, judge } from '../contract/judge.ts'
import { compactSession } from '../src/compact.ts'
import { providers } from '../src/index.ts'
import { memoryStore, type Session, type Store } from '../src/session.ts'
import { validHistory } from '../src/testing/arbitraries.ts'
import { runsOf } from './long-runs.ts'
import { models } from './model-names.ts'
import { lint, openSession } from './untyped-api.ts'

const runs = runsOf(10, 25, 'SUTURE_SESSION_RUNS')
const seed = Number(process.env['SUTURE_SEED'] ?? 20261116)

const endpoints: Readonly<Record<string, Endpoint>> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  gemini: 'gemini',
  'bedrock-converse': 'converse',
}

const kinds = [
  'append',
  'append',
  'append',
  'abort',
  'late',
  'skip',
  'replace',
  'compact',
  'revert',
  'undo',
  'fork',
  'reopen',
  'propose',
  'accept',
  'other',
] as const

interface Step {
  readonly kind: (typeof kinds)[number]
  readonly n: number
}

const program = fc.array(fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(1000) }), {
  minLength: 4,
  maxLength: 24,
})

class Run {
  session!: Session
  private readonly store: Store = memoryStore()
  private readonly kept: unknown[] = []
  private at = 0
  private forks = 0
  private proposals: string[] = []
  private readonly source: readonly unknown[]
  private readonly options: { provider: string; dialect: string; model?: string; snapshotEvery: number }

  constructor(source: readonly unknown[], options: Run['options']) {
    this.source = source
    this.options = options
  }

  private get dialect() {
    const services = providers.flatMap((one) => one.serves)
    return services.find((one) => one.dialect.id === this.options.dialect)!.dialect
  }

  async open(id = this.session?.id ?? 's'): Promise<void> {
    this.session = await openSession(this.store, id, this.options)
  }

  /** The next messages; some are held back to be late. */
  private next(count: number): readonly unknown[] {
    const messages = this.source.slice(this.at, this.at + count)
    this.at = this.at >= this.source.length ? 0 : this.at + count
    return messages
  }

  async step({ kind, n }: Step): Promise<void> {
    const { session } = this
    if (kind === 'append') await session.append(this.next(1 + (n % 4)))
    if (kind === 'abort') await session.abort({ cause: n % 2 ? 'aborted-before-start' : 'aborted-while-running' })
    if (kind === 'skip') this.kept.push(...this.next(1))
    if (kind === 'late') await session.append(this.kept.splice(0, 1))
    if (kind === 'reopen') await this.open()
    if (kind === 'replace') await this.replace(n)
    if (kind === 'compact') compacted += await this.compact(n)
    if (kind === 'revert') await this.onTurn(n, (turn) => session.revert(turn))
    if (kind === 'fork') await this.onTurn(n, (turn) => this.fork(turn))
    if (kind === 'undo') await session.undo().catch((error) => expect(error.code).toBe('nothing-to-undo'))
    if (kind === 'propose') await this.propose(n)
    if (kind === 'accept') await this.settle(n)
    if (kind === 'other') await (await openSession(this.store, session.id, this.options)).append(this.next(1))
    if (kind === 'other') await session.refresh()
  }

  private async fork(turn: number): Promise<void> {
    this.session = await this.session.fork(turn, `fork${this.forks++}`)
  }

  private async propose(n: number): Promise<void> {
    const op = `p${this.proposals.length}-${this.session.head}-${n}`
    await this.session.append(this.next(1), { proposed: true, operationId: op })
    this.proposals.push(op)
  }

  private async settle(n: number): Promise<void> {
    const op = this.proposals.pop()
    if (op === undefined) return
    if (n % 3 === 0) await this.session.reject(op, 'rejected')
    else await this.session.append(this.next(n % 3), { accept: op })
  }

  private async replace(n: number): Promise<void> {
    const { history, upTo, prefixHash } = await this.session.view()
    if (history.length === 0) return
    const count = 1 + (n % history.length)
    const insert = n % 5 === 0 ? [] : [this.dialect.textMessage('user', `summary of ${count}`)]
    if (n % 3 === 0) await this.session.append(this.next(1))
    await this.session.replace([{ op: 'splice', path: [], index: 0, remove: history.slice(0, count), insert }], {
      by: 'test',
      why: 'long',
      upTo,
      prefixHash,
    })
  }

  /** Appends something long, so that earlier messages have to be removed. */
  private async compact(n: number): Promise<number> {
    const { session, dialect } = this
    const long = `${n} `.repeat(600)
    await session.append([
      dialect.textMessage('user', long),
      dialect.textMessage('assistant', long),
      dialect.textMessage('user', 'and?'),
    ])
    const summarize = n % 2 ? { summarize: async () => `summary ${n}` } : {}
    const { changesAnything } = await compactSession(session, {
      budget: { limit: 300 + n, goal: 250 + n },
      ...summarize,
    })
    return changesAnything ? 1 : 0
  }

  private async onTurn(n: number, work: (turn: number) => Promise<unknown>): Promise<void> {
    const known = await this.session.turns()
    if (known.length > 0) await work(1 + (n % known.length))
  }
}

let judged = 0
let compacted = 0

function rejection(history: readonly unknown[], options: Run['options']): string | undefined {
  if (history.length === 0) return undefined
  const { snapshotEvery: _every, ...target } = options
  if (lint(history, target).some((one) => one.severity === 'error' && one.fix === undefined)) return undefined
  judged++
  const { dialect } = providers.flatMap((one) => one.serves).find((one) => one.dialect.id === options.dialect)!
  const declared = dialect.id === 'bedrock-converse' ? { toolConfig: { tools: [] } } : {}
  const body = { model: options.model, [dialect.key]: history, ...declared }
  const verdict = judge({
    provider: options.provider,
    endpoint: endpoints[dialect.id]!,
    body,
    ...(options.model ? { model: options.model } : {}),
  })
  return verdict.accepted ? undefined : `${verdict.rule}: ${verdict.message}`
}

const served = providers.flatMap((provider) =>
  provider.serves
    .filter(({ dialect }) => endpoints[dialect.id])
    .map(({ dialect }) => [provider.id, dialect.id] as const),
)

describe('no prefix of the log is ever rejected', () => {
  it.each(served)('%s, %s', async (provider, dialect) => {
    judged = compacted = 0
    const model = fc.constantFrom(...(models[provider] ?? [undefined]))
    await fc.assert(
      fc.asyncProperty(validHistory(dialect), program, model, async (source, steps, name) => {
        const options = { provider, dialect, snapshotEvery: 7, ...(name ? { model: name } : {}) }
        const run = new Run(source, options)
        await run.open()
        for (const step of steps) {
          await run.step(step)
          const history = await run.session.history()
          expect(rejection(history, options), `after ${JSON.stringify(step)}`).toBeUndefined()
        }
        expect((await run.session.verify()).damage).toEqual([])
        const before = run.session
        await run.open()
        expect(await run.session.raw()).toEqual(await before.raw())
      }),
      { seed, numRuns: runs },
    )
    expect(judged, 'the judge was asked').toBeGreaterThan(runs)
    expect(compacted, 'something was compacted').toBeGreaterThan(0)
  })
})
