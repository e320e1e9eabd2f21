/**
 * The server for the agents: the contract with a scripted model, directly or behind the gateway of this checkout.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RequestRecord, type RunningContract, type Step, startContract } from '../../contract/index.ts'
import type { Recorded } from './record-requests.ts'
import type { Exchange, Way } from './types.ts'

const PROVIDERS = ['anthropic', 'openai', 'gemini', 'moonshot'] as const

export interface UnderTest {
  /** What the client is pointed at. */
  readonly url: string
  /** What the client sent. */
  exchanges(): readonly Exchange[]
  /** What reached the contract. */
  readonly received: readonly RequestRecord[]
  /** Log lines of the gateway. */
  log(): string
  close(): Promise<void>
}

export async function startUnderTest(way: Way, root: string, folder: string, step: Step): Promise<UnderTest> {
  const contract = await startContract({ maxRequests: 10_000 })
  answerWith(contract, step)
  const gateway = way === 'direct' ? undefined : await startGateway(way, contract.url, root, folder)
  return {
    url: gateway?.url ?? contract.url,
    exchanges: () => (gateway ? recordedIn(recordFile(folder)) : contract.requests.map(exchangeOf)),
    received: contract.requests,
    log: () => gateway?.log() ?? '',
    async close() {
      await gateway?.close()
      await contract.close()
    },
  }
}

const recordFile = (folder: string) => join(folder, 'gateway-requests.jsonl')

function recordedIn(file: string): Exchange[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const one = JSON.parse(line) as Recorded
    return { ...one, body: Buffer.from(one.body, 'base64') }
  })
}

/** Without a gateway the client's requests are those that the contract received. */
function exchangeOf({ method, path, headers, bytes, answer }: RequestRecord): Exchange {
  return { method, path, headers, body: Buffer.from(bytes), status: answer.status, answer: answer.headers }
}

/** The script of the contract ends after its last step; this one never ends. */
function answerWith(contract: RunningContract, step: Step): void {
  const next: Step = (ask) => {
    contract.script(next)
    return typeof step === 'function' ? step(ask) : step
  }
  contract.script(next)
}

interface RunningGateway {
  readonly url: string
  log(): string
  close(): Promise<void>
}

async function startGateway(way: Way, contract: string, root: string, folder: string): Promise<RunningGateway> {
  const upstreams = PROVIDERS.flatMap((name) => ['--upstream', `${name}=${contract}/${name},${name}`])
  const store =
    way === 'recorded' ? ['--store', `sqlite:${join(folder, 'suture.db')}`, '--derive'] : ['--store', 'none']
  const recorder = join(root, 'dist/scripts/agents/record-requests.js')
  const main = ['--import', recorder, join(root, 'dist/cli/main.js')]
  const child = spawn(
    process.execPath,
    [...main, 'serve', '--port', '0', '--drain-timeout-ms', '1', ...store, ...upstreams],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', SUTURE_AGENTS_RECORD: recordFile(folder) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
      if (found) resolve(found)
    })
    child.on('close', () => reject(new Error(`The gateway did not start: ${log}`)))
  })
  return {
    url,
    log: () => log,
    async close() {
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await ended
      clearTimeout(force)
    },
  }
}
