/**
 * Random programs of prompts, aborts, crashing and late tools, broken streams, rejections, kills and reopenings, in
 * every dialect. After each step the session is valid for its provider, nothing that was reported is lost, and no call
 * was run twice; at the end the next prompt completes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Reply } from '../contract/index.ts'
import { type Approval, resumeTurn, runTurn, type Tool, type Turn, type TurnEvent } from '../src/agent/index.ts'
import { SutureError } from '../src/index.ts'
import { callKey, memoryStore, openStore, type Session, type Store } from '../src/session.ts'
import { contract, invalid, open, optionsOf, type Setup, setups } from './agent-setup.ts'
import { randomOf } from './crash/matrix-row.ts'
import { runsOf } from './long-runs.ts'

const SEED = 16_000
const PROGRAMS = runsOf(250, 1000, 'SUTURE_PROGRAMS')
const STEPS = 3

const folder = mkdtempSync(join(tmpdir(), 'suture-agent-'))
/** What happened in all programs, so that nothing that is claimed here quietly never happens. */
const tally: Record<string, number> = {}
const count = (what: string) => {
  tally[what] = (tally[what] ?? 0) + 1
}
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  const dialects = setups.map(({ dialect }) => dialect)
  const outcomes = ['done', 'waiting', 'limit', 'aborted', 'incomplete', 'failed']
  const results = ['returned', 'threw', 'timed-out', 'arguments', 'no-such-tool', 'denied']
  const others = ['kill', 'reopen', 'resume', 'abort', 'steer', 'late', 'cut', 'wait', 'ask-again']
  const wanted = [...dialects, ...outcomes, ...results, ...others, ...Object.keys(FAULTS)]
  if (PROGRAMS >= 1000) expect(wanted.filter((what) => !tally[what])).toEqual([])
})

const FAULTS = {
  'cut-in-arguments': 0.06,
  'cut-after-events=4': 0.05,
  'end-after-events=3': 0.04,
  'error-event': 0.05,
  'status=529': 0.05,
  'status=500': 0.03,
  'spurious-rejection': 0.02,
  'status=400': 0.02,
} as const

const workers = [0, 1, 2, 3, 4, 5, 6, 7]
it.concurrent.each(workers)(
  `seed ${SEED}: ${PROGRAMS} programs, part %i`,
  async (part) => {
    for (let n = part; n < PROGRAMS; n += workers.length) {
      try {
        await new Program(n).run()
      } catch (error) {
        throw new Error(`program ${n} (seed ${SEED}): ${error instanceof Error ? error.stack : String(error)}`)
      }
    }
  },
  300_000,
)

class Program {
  private readonly random: () => number
  private readonly setup: Setup
  private readonly n: number
  private readonly reported = new Set<string>()
  private readonly ran = new Map<number, number>()
  private readonly log: string[] = []
  private readonly fetch
  private count = 0

  constructor(n: number) {
    this.n = n
    this.random = randomOf(SEED + n)
    this.setup = setups[n % setups.length]!
    const script = Array.from({ length: 100 }, () => () => this.reply())
    this.fetch = contract({ script, chance: { seed: SEED + n, faults: FAULTS } })
  }

  async run(): Promise<void> {
    const inner =
      this.n % 40 < setups.length
        ? await openStore(`sqlite:${join(folder, `${this.n}.db`)}`, { synchronous: 'normal' })
        : memoryStore()
    count(this.setup.dialect)
    let store = mortal(inner)
    let session = await open(this.setup, store.store)
    for (let step = 0; step < STEPS; step++) {
      const kills = this.chance(0.25)
      if (kills) store.killAfter(1 + Math.floor(this.random() * 6), this.chance(0.5))
      await this.step(session, kills)
      if (kills || this.chance(0.2)) {
        count(store.kill() ? 'reopen' : 'kill')
        store = mortal(inner)
        session = await open(this.setup, store.store)
        this.log.push('reopen')
      }
      await this.check(session)
    }
    const calm = contract({ script: [{ text: 'The end.' }] })
    const outcome = await runTurn(session, 'Are you there?', optionsOf(this.setup, calm)).outcome
    expect([outcome.status, outcome.text], this.log.join('\n')).toEqual(['done', 'The end.'])
    expect(
      calm.requests.map(({ verdict }) => verdict),
      this.log.join('\n'),
    ).toEqual([{ accepted: true }])
    await this.check(session)
    store.kill()
    for (const { faults } of this.fetch.requests) faults.forEach(count)
    await inner.close()
  }

  private async step(session: Session, kills: boolean): Promise<void> {
    const prompt = `prompt ${++this.count} of ${this.n}.`
    const late = new Set<string>()
    const options = optionsOf(this.setup, this.fetch, {
      tools: this.tools(late),
      toolTimeoutMs: 4,
      maxParallelTools: 2,
      maxSteps: 5,
      maxRetries: 1,
    })
    const resumes = this.chance(0.15)
    const turn = resumes
      ? resumeTurn(session, { ...options, approvals: this.approvals(session) })
      : runTurn(session, prompt, options)
    const abortAt = this.chance(0.4) ? Math.floor(this.random() * 12) : -1
    if (abortAt === 0) turn.abort()
    const events = await this.watch(turn, abortAt)
    const { status, text } = await turn.outcome
    // What was shown of the last answer is kept, whole or not.
    if (status !== 'failed' && text.trim() !== '') this.reported.add(text.trim())
    this.log.push(
      `${resumes ? 'resume' : 'prompt'} abort ${abortAt}: ${events.map(({ type }) => type).join(' ')} → ${status}`,
    )
    for (const event of events) this.hear(event)
    count(status)
    if (resumes) count('resume')
    if (abortAt >= 0 && status === 'aborted') count('abort')
    if (!this.chance(0.5)) return
    await turn.settled
    // A tool that brought its result late has brought it, if the process lived.
    if (!kills) for (const text of late) this.reported.add(text)
  }

  /** A person answers some of the calls that wait. */
  private approvals(session: Session): Record<string, Approval> {
    const answers = session.waiting.filter(() => this.chance(0.8)).map((call) => [callKey(call), this.chance(0.7)])
    return Object.fromEntries(answers)
  }

  private async watch(turn: Turn, abortAt: number): Promise<readonly TurnEvent[]> {
    const events: TurnEvent[] = []
    for await (const event of turn) {
      events.push(event)
      if (events.length === abortAt) {
        if (this.chance(0.3)) turn.say(`steer ${++this.count} of ${this.n}.`)
        turn.abort()
      }
      if (event.type === 'call' && this.chance(0.1))
        turn.say(`steer ${++this.count} of ${this.n}.`, this.chance(0.5) ? 'now' : 'after')
    }
    return events
  }

  /** What an event reported is stored by then. */
  private hear(event: TurnEvent): void {
    if (event.type === 'result') count(event.why)
    if (event.type === 'recovered') count(event.recovery)
    if (event.type === 'incomplete') count(event.why)
    if (event.type === 'prompt') this.reported.add(String(event.prompt))
    if (event.type === 'prompt' && String(event.prompt).startsWith('steer')) count('steer')
    if (event.type === 'result' && event.why === 'returned') this.reported.add(event.text)
  }

  private reply(): Reply {
    const text = `Saying ${++this.count} of ${this.n}, word by word.`
    const calls = Array.from({ length: Math.floor(this.random() * 4) }, () => this.call())
    const shape = { chunkBytes: 3 + Math.floor(this.random() * 9) }
    if (calls.length === 0) return { text, ...shape }
    return this.chance(0.5) ? { calls, ...shape } : { text, calls, ...shape }
  }

  private call() {
    const names = ['works', 'throws', 'hangs', 'late', 'asks', 'missing']
    const name = names[Math.floor(this.random() * names.length)]!
    const n = ++this.count
    const idless = this.setup.dialect === 'gemini' && this.n % 2 === 0
    return { name, arguments: { n: this.chance(0.9) ? n : 'odd' }, ...(idless ? {} : { id: `call_${this.n}_${n}` }) }
  }

  /** `late`: where a tool notes what it brought after it was asked to stop. */
  private tools(late = new Set<string>()): readonly Tool[] {
    const parameters = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const made = (name: string, run: (n: number, signal: AbortSignal) => unknown): Tool => ({
      name,
      parameters,
      run: ({ n }, { signal }) => {
        this.ran.set(n, (this.ran.get(n) ?? 0) + 1)
        return run(n, signal)
      },
    })
    const result = (n: number) => `output ${n} of ${this.n}.`
    return [
      made('works', result),
      made('throws', (n) => {
        throw new Error(`broke ${n}`)
      }),
      made(
        'hangs',
        (_n, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ),
      made(
        'late',
        (n, signal) =>
          new Promise((resolve) => {
            const bring = () => {
              count('late')
              late.add(result(n))
              resolve(result(n))
            }
            signal.addEventListener('abort', () => setTimeout(bring, 1))
          }),
      ),
      { ...made('asks', result), approval: true },
    ]
  }

  private async check(session: Session): Promise<void> {
    const story = this.log.join('\n')
    expect(await invalid(this.setup, session, this.tools()), story).toEqual([])
    const [raw, view] = [JSON.stringify(await session.raw()), JSON.stringify(await session.history())]
    for (const text of this.reported) {
      expect(raw.includes(text), `${text} is not stored\n${story}`).toBe(true)
      expect(view.includes(text), `${text} is not sent\n${story}`).toBe(true)
    }
    for (const [n, times] of this.ran) expect(times, `call ${n} ran ${times} times\n${story}`).toBe(1)
    const rejected = this.fetch.requests.filter(({ verdict }) => verdict?.accepted === false)
    expect(
      rejected.map(({ verdict }) => verdict),
      story,
    ).toEqual([])
  }

  private chance(probability: number): boolean {
    return this.random() < probability
  }
}

/**
 * A store whose process can die: at once, or with the nth write, which is then stored or not; the caller does not learn
 * which.
 */
function mortal(inner: Store) {
  let left = Number.POSITIVE_INFINITY
  let stores = false
  let dead = false
  const check = () => {
    if (dead) throw new SutureError('store-failed', 'The process is dead.')
  }
  const store: Store = Object.assign(Object.create(inner) as Store, {
    async head(id: string) {
      check()
      return inner.head(id)
    },
    async append(...given: Parameters<Store['append']>) {
      check()
      if (--left > 0) return inner.append(...given)
      dead = true
      if (stores) await inner.append(...given)
      throw new SutureError('store-failed', 'The process died.')
    },
    async read(...given: Parameters<Store['read']>) {
      check()
      return inner.read(...given)
    },
    async find(...given: Parameters<Store['find']>) {
      check()
      return inner.find(...given)
    },
  })
  return {
    store,
    /** Whether it lived until then. */
    kill: () => {
      const lived = !dead
      dead = true
      return lived
    },
    killAfter(writes: number, storesLast: boolean) {
      left = writes
      stores = storesLast
    },
  }
}
