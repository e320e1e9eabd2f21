/**
 * `suture demo`: a long, tool-heavy conversation that everything happens to: aborts, cut streams, an overflow, a killed process.
 * Live in the terminal, against a strict emulator for the provider, and over in a few seconds.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningContract } from '../../../contract/index.ts'
import { runTurn, type Tool, type TurnOptions } from '../../agent/index.ts'
import { compactSession } from '../../compact.ts'
import { isSutureError, SutureError } from '../../core/index.ts'
import { openSession, openStore, type Session, type Store } from '../../session.ts'
import { Stage } from './turn-lines.ts'

const MODEL = 'claude-sonnet-4-5'
/** Nothing in it takes so long; what hangs must not keep a gateway from serving. */
const PATIENCE = 60_000

/** The command. `child ADDRESS URL` is the process that gets killed. */
export async function demo(args: readonly string[], write: (text: string) => void): Promise<number> {
  const [role, address, url] = args
  if (role !== undefined && role !== 'child')
    throw new SutureError('bad-option', '`suture demo` takes no arguments.', {})
  const stage = new Stage(write)
  if (role === 'child') await child(address!, url!, stage)
  else await demonstrateAgent(stage)
  return 0
}

/** The whole of it. Leaves nothing behind. */
export async function demonstrateAgent(stage: Stage): Promise<void> {
  const { startContract } = await import('../../../contract/index.ts')
  const folder = mkdtempSync(join(tmpdir(), 'suture-demo-'))
  const contract = await startContract({ tokenLimit: 15_000 })
  try {
    await scenes(contract, `sqlite:${join(folder, 'demo.db')}`, stage, AbortSignal.timeout(PATIENCE))
  } catch (error) {
    if (!isSutureError(error, 'store-missing')) throw error
    stage.line(`The agent's demonstration needs a database on disk. ${error.message}`)
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

/** Runs a turn until somebody kills the process. */
async function child(address: string, url: string, stage: Stage): Promise<void> {
  const session = await opened(await openStore(address))
  const deploy = tool('deploy', () => pause(PATIENCE))
  const options = optionsOf(url, AbortSignal.timeout(PATIENCE))
  await stage.watch(runTurn(session, 'Deploy it.', { ...options, tools: [...tools(), deploy], maxParallelTools: 1 }))
}

function killed(address: string, url: string, stage: Stage, signal: AbortSignal): Promise<void> {
  const command = [...process.execArgv, process.argv[1]!, 'demo', 'child', address, url]
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
  return openSession(store, 'demo', { provider: 'anthropic', model: MODEL })
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
