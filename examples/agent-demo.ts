/**
 * A long, tool-heavy conversation that everything happens to: aborts, cut streams, an overflow, a killed process.
 * Live in the terminal, against a strict stand-in for the provider, and over in less than a minute. Run it with `npm run demo:agent`.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type RunningContract, startContract } from '../contract/index.ts'
import { runTurn, type Tool, type Turn, type TurnEvent, type TurnOptions } from '../src/agent/index.ts'
import { openSession, openStore, type Session } from '../src/session-door.ts'

const MODEL = 'claude-sonnet-4-5'
const [, , role, address, url] = process.argv
let inText = false

if (role === 'child') await child(address!, url!)
else await demo()

function tool(name: string, run: Tool['run']): Tool {
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties: {} }, run }
}

function tools(): readonly Tool[] {
  return [
    tool('list_files', () => pause(40, ['a.ts', 'b.ts', 'c.ts'])),
    tool('read_log', () => 'line of the log, again and again; '.repeat(2500)),
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

function optionsOf(url: string, more: Partial<TurnOptions> = {}): TurnOptions {
  return { model: MODEL, url, tools: tools(), system: 'You look after a small project.', ...more }
}

function opened(store: Awaited<ReturnType<typeof openStore>>): Promise<Session> {
  return openSession(store, 'demo', { provider: 'anthropic', model: MODEL })
}

/** Runs a turn until somebody kills the process. */
async function child(address: string, url: string): Promise<void> {
  const session = await opened(await openStore(address))
  const deploy = tool('deploy', () => new Promise(() => setTimeout(() => {}, 60_000)))
  const turn = runTurn(session, 'Deploy it.', {
    ...optionsOf(url),
    tools: [...tools().slice(0, 1), deploy],
    parallel: 1,
  })
  for await (const event of turn) show(event)
}

async function demo(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'suture-demo-'))
  const address = `sqlite:${join(folder, 'demo.db')}`
  const contract = await startContract({ tokenLimit: 15_000 })
  try {
    await scenes(contract, address)
  } finally {
    await contract.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function scenes(contract: RunningContract, address: string): Promise<void> {
  const { url } = contract
  let store = await openStore(address)
  let session = await opened(store)

  scene('A turn with four tools; one of them fails, one returns more than the model can take.')
  await watch(runTurn(session, 'How is the project?', optionsOf(url)))

  scene('The stream breaks in the middle of an answer, twice.')
  contract.script(
    { text: 'The project has three files, and the tests say that one of', chunk: 8, fault: 'cut-after-events=6' },
    { text: ' them is broken:', chunk: 4, fault: 'end-after-events=5' },
    { text: ' b.ts, I think.' },
  )
  await watch(runTurn(session, 'Say that again?', optionsOf(url)))

  scene('Aborted while the tests run.')
  contract.script({ text: 'I run them.', calls: [{ name: 'list_files' }, { name: 'run_tests' }, { name: 'flaky' }] })
  await watch(runTurn(session, 'Run the tests.', optionsOf(url, { parallel: 2 })), 'progress')

  scene('The next prompt just works.')
  contract.script({ text: 'You stopped them; whether they changed anything is not known.' })
  await watch(runTurn(session, 'What happened?', optionsOf(url)))

  scene('The provider is overloaded, and then the connection is cut inside the arguments of a call.')
  contract.script(
    { fault: 'status=529' },
    { calls: [{ name: 'list_files' }], fault: 'cut-in-arguments' },
    { text: 'There we are.' },
  )
  await watch(runTurn(session, 'Again, please.', optionsOf(url, { guard: { recovery: { random: () => 0 } } })))
  await store.close()

  scene('Another process takes a turn, and is killed while a tool runs.')
  contract.script({ text: 'On it.', calls: [{ name: 'list_files' }, { name: 'deploy' }] })
  await killed(address, url)

  store = await openStore(address)
  session = await opened(store)
  console.log(`\n  found: ${JSON.stringify(session.found.open)}`)
  contract.script({ text: 'The process died while it deployed. I would look before I try again.' })
  await watch(runTurn(session, 'Did it work?', optionsOf(url)))

  const { sound } = await session.verify()
  const refused = contract.requests.filter(({ verdict }) => verdict?.accepted === false)
  const history = await session.history()
  console.log(
    `\n${contract.requests.length} requests, ${refused.length} refused for their history. The session has ${session.head} records and sends ${history.length} messages${sound ? '' : '; its hashes do not fit'}.`,
  )
  await store.close()
  process.exitCode = refused.length === 0 ? 0 : 1
}

function killed(address: string, url: string): Promise<void> {
  const process_ = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), 'child', address, url])
  return new Promise((resolve) => {
    process_.stderr.pipe(process.stderr)
    process_.stdout.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk)
      // Its first result is stored, and the second tool runs.
      if (String(chunk).includes('list_files →')) setTimeout(() => process_.kill('SIGKILL'), 200)
    })
    process_.on('exit', () => {
      console.log('\n  killed')
      resolve()
    })
  })
}

async function watch(turn: Turn, abortOn?: TurnEvent['type']): Promise<void> {
  for await (const event of turn) {
    show(event)
    if (event.type === abortOn) turn.abort()
  }
}

function show(event: TurnEvent): void {
  if (event.type === 'text') {
    process.stdout.write(inText ? event.text : `\n  assistant: ${event.text}`)
    inText = true
    return
  }
  const line = lineOf(event)
  if (line === undefined) return
  process.stdout.write(`\n  ${line}`)
  inText = false
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
    case 'incomplete':
      return `[incomplete: ${event.why}]`
    case 'done':
      return `[${event.outcome.status}]`
    default:
      return undefined
  }
}

function scene(title: string): void {
  console.log(`\n\n— ${title}`)
}
