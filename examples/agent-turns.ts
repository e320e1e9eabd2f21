/**
 * Turns of an agent, as lines in a terminal while they happen: tools that fail, cut streams, an overflow, a compaction,
 * aborts, a killed process. The contract answers: no key, no model. Run it with `npm run example:agent`; it takes a few
 * seconds.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type RunningContract, startContract } from '../contract/index.ts'
import { runTurn, type Tool, type Turn, type TurnEvent, type TurnOptions } from '../src/agent.ts'
import { compactSession } from '../src/compact.ts'
import { openSession, openStore, type Session, type Store } from '../src/session.ts'

const MODEL = 'claude-sonnet-4-5'
/** Nothing in it takes so long. */
const TIME_LIMIT_MS = 60_000

class Stage {
  readonly write: (text: string) => void
  private inText = false

  constructor(write: (text: string) => void) {
    this.write = write
  }

  scene(title: string): void {
    this.write(`\n\n— ${title} —`)
    this.inText = false
  }

  /** A line of its own, also in the middle of what is said. */
  line(text: string): void {
    this.write(`\n  ${text}`)
    this.inText = false
  }

  /** Shows a turn to its end. `abortOn`: aborts it there, and once more. */
  async watch(turn: Turn, abortOn?: TurnEvent['type']): Promise<void> {
    for await (const event of turn) {
      this.show(event)
      if (event.type !== abortOn) continue
      turn.abort()
      turn.abort()
    }
    await turn.settled
  }

  private show(event: TurnEvent): void {
    if (event.type === 'text') {
      this.write(this.inText ? event.text : `\n  assistant: ${event.text}`)
      this.inText = true
      return
    }
    const line = lineOf(event)
    if (line !== undefined) this.line(line)
  }
}

function lineOf(event: TurnEvent): string | undefined {
  switch (event.type) {
    case 'prompt':
      return `user: ${String(event.prompt)}`
    case 'call':
      return `call ${event.call.name}`
    case 'progress':
      return `  ${event.call.name}: ${String(event.detail)}`
    case 'result':
      return `${event.call.name} → ${event.text.slice(0, 70)}${event.text.length > 70 ? '…' : ''} (${event.why})`
    case 'recovered':
      return `[recovered: ${event.recovery}]`
    case 'compacted':
      return `[compacted${event.failed ? ': failed' : ''}]`
    case 'incomplete':
      return `[incomplete: ${event.why}]`
    case 'done':
      return `[${event.outcome.status}${event.outcome.error ? `: ${event.outcome.error.message}` : ''}]`
    default:
      return undefined
  }
}

/** Leaves nothing behind. */
async function allScenes(stage: Stage): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'suture-agent-'))
  const contract = await startContract({ tokenLimit: 15_000 })
  try {
    await scenes(contract, `sqlite:${join(folder, 'agent.db')}`, stage, AbortSignal.timeout(TIME_LIMIT_MS))
  } finally {
    await contract.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function scenes(contract: RunningContract, address: string, stage: Stage, signal: AbortSignal): Promise<void> {
  const options = optionsOf(contract.url, signal)
  const store = await openStore(address)
  await calmAndCut(contract, await opened(store), options, stage)
  await overflow(contract, await opened(store), options, stage)
  await aborts(contract, await opened(store), options, stage)
  await store.close()
  await kill(contract, address, options, stage, signal)
}

async function calmAndCut({ script }: RunningContract, session: Session, options: TurnOptions, stage: Stage) {
  stage.scene('A turn with tools: one fails, one gets arguments that do not match its schema, and all go on.')
  script(
    {
      text: 'I look around.',
      calls: [{ name: 'list_files' }, { name: 'flaky' }, { name: 'read', arguments: { path: 7 } }],
    },
    { calls: [{ name: 'read', arguments: { path: 'b.ts' } }, { name: 'run_tests' }] },
    { text: 'Three files, one of them broken.' },
  )
  await stage.watch(runTurn(session, 'How is the project?', options))

  stage.scene(
    'The stream breaks in the middle of an answer, twice. What had come is kept, and the model goes on from there.',
  )
  script(
    { text: 'The project has three files, and the tests say that one of', chunkBytes: 8, fault: 'cut-after-events=6' },
    { text: ' them is broken:', chunkBytes: 4, fault: 'end-after-events=5' },
    { text: ' b.ts, I think.' },
  )
  await stage.watch(runTurn(session, 'Say that again?', options))

  stage.scene(
    'The provider is overloaded, and then the connection is cut inside the arguments of a call: it is not run.',
  )
  script(
    { fault: 'status=529' },
    { calls: [{ name: 'list_files' }], fault: 'cut-in-arguments' },
    { text: 'There we are.' },
  )
  await stage.watch(runTurn(session, 'Again, please.', options))
}

async function overflow({ script }: RunningContract, session: Session, options: TurnOptions, stage: Stage) {
  stage.scene(
    'A tool returns more than the model can take: the provider rejects, the guard shrinks the result and sends again.',
  )
  script(
    { calls: [{ name: 'read_log', arguments: { lines: 2500 } }] },
    { text: 'It says the same thing over and over.' },
  )
  await stage.watch(runTurn(session, 'What does the log say?', options))

  stage.scene('Many tools later the conversation itself is too long: it is compacted on the way.')
  const read = (n: number) => ({ name: 'read_log', arguments: { lines: 140 + n } })
  script(
    { calls: [read(1), read(2)] },
    { calls: [read(3), read(4)] },
    { calls: [read(5), read(6)] },
    { text: 'Still the same.' },
  )
  const compact: TurnOptions['compact'] = (one) => compactSession(one, { budget: { limit: 11_000, goal: 4_000 } })
  await stage.watch(runTurn(session, 'Read it again, piece by piece.', { ...options, compact }))
}

async function aborts({ script }: RunningContract, session: Session, options: TurnOptions, stage: Stage) {
  stage.scene('Aborted while the tests run: a result that is there stays, and of the others is said what is true.')
  script({ text: 'I run them.', calls: [{ name: 'list_files' }, { name: 'run_tests' }, { name: 'flaky' }] })
  await stage.watch(runTurn(session, 'Run the tests.', { ...options, maxParallelTools: 2 }), 'progress')

  stage.scene('Aborted in the middle of a sentence, twice.')
  script({ text: 'Whether they changed anything before you stopped them is something that I', chunkBytes: 6 })
  await stage.watch(runTurn(session, 'What happened?', options), 'text')

  stage.scene('The next prompt just works.')
  script({ text: 'You stopped them; whether they changed anything is not known.' })
  await stage.watch(runTurn(session, 'Go on.', options))
}

async function kill(
  contract: RunningContract,
  address: string,
  options: TurnOptions,
  stage: Stage,
  signal: AbortSignal,
): Promise<void> {
  stage.scene('Another process takes a turn, and is killed (SIGKILL) while a tool runs.')
  contract.script({ text: 'On it.', calls: [{ name: 'list_files' }, { name: 'deploy' }] })
  await killed(address, contract.url, stage, signal)
  const store = await openStore(address)
  const session = await opened(store)
  stage.line(`found: ${JSON.stringify(session.found.open)}`)
  contract.script({ text: 'The process died while it deployed. I would look before I try again.' })
  await stage.watch(runTurn(session, 'Did it work?', options))
  await tally(contract, session, stage)
  await store.close()
}

async function tally({ requests }: RunningContract, session: Session, stage: Stage): Promise<void> {
  const { valid } = await session.verify()
  const rejected = requests.filter(({ verdict }) => verdict?.accepted === false)
  const history = await session.history()
  const hashes = valid ? 'every hash fits' : 'its hashes do not fit'
  stage.write(
    `\n\n${requests.length} requests, ${rejected.length} rejected for their history. The session has ${session.head} records (${hashes}) and sends ${history.length} messages.\n`,
  )
}

/** Runs a turn until the process is killed. */
async function child(address: string, url: string, stage: Stage): Promise<void> {
  const session = await opened(await openStore(address))
  const deploy = tool('deploy', () => pause(TIME_LIMIT_MS))
  const options = optionsOf(url, AbortSignal.timeout(TIME_LIMIT_MS))
  await stage.watch(runTurn(session, 'Deploy it.', { ...options, tools: [...tools(), deploy], maxParallelTools: 1 }))
}

function killed(address: string, url: string, stage: Stage, signal: AbortSignal): Promise<void> {
  const command = [...process.execArgv, fileURLToPath(import.meta.url), 'child', address, url]
  const other = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  const end = () => other.kill('SIGKILL')
  signal.addEventListener('abort', end)
  return new Promise((resolve, reject) => {
    let output = ''
    other.stdout.on('data', (chunk: Buffer) => {
      stage.write(String(chunk))
      output += String(chunk)
      // Its first result is stored, and the second tool runs.
      if (output.includes('list_files →')) setTimeout(end, 200)
    })
    other.on('error', reject)
    other.on('exit', (_code, how) => {
      signal.removeEventListener('abort', end)
      stage.line(`[${how === 'SIGKILL' ? 'killed' : 'ended by itself'}]`)
      resolve()
    })
  })
}

function optionsOf(url: string, signal: AbortSignal): TurnOptions {
  const recovery = { random: () => 0 }
  return { model: MODEL, url, tools: tools(), system: 'You look after a small project.', signal, guard: { recovery } }
}

function opened(store: Store): Promise<Session> {
  return openSession(store, 'agent', { provider: 'anthropic', model: MODEL })
}

function tools(): readonly Tool[] {
  const path = { path: { type: 'string' } }
  return [
    tool('list_files', () => pause(40, ['a.ts', 'b.ts', 'c.ts'])),
    tool('read', ({ path }: { path: string }) => pause(40, `// ${path}: nothing to see here`), path),
    tool('read_log', ({ lines }: { lines: number }) => 'line of the log, again and again; '.repeat(lines), {
      lines: {},
    }),
    tool('run_tests', async (_input, { progress, signal }) => {
      for (let n = 1; n <= 4; n++) {
        await pause(60, undefined, { signal })
        progress(`${n * 25} %`)
      }
      return '212 passed, 1 failed'
    }),
    tool('flaky', () => {
      throw new Error('no route to host')
    }),
  ]
}

function tool(name: string, run: Tool['run'], properties: object = {}): Tool {
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties }, run }
}

const [role, address, url] = process.argv.slice(2)
const stage = new Stage((text) => void process.stdout.write(text))
await (role === 'child' ? child(address!, url!, stage) : allScenes(stage))
