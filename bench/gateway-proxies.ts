/**
 * Minimal proxies that the gateway is measured against, each in its own process.
 * `min-parse`: undici's `Pool.stream`, the body buffered, decoded, parsed and sent on. `fast-parse`: `Pool.dispatch`,
 * and calls paired with results.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Dispatcher, Pool } from 'undici'
import { gateway } from '../src/gateway/index.ts'

const HEADERS = { 'content-type': 'application/json' }

/** Buffer, decode, parse, pass on. */
function minParse(target: string): void {
  const pool = new Pool(target)
  proxy((body, path, response) => {
    JSON.parse(body.toString())
    const sent = { method: 'POST' as const, path, headers: HEADERS, body }
    pool.stream(sent, ({ statusCode, headers }) => response.writeHead(statusCode, headers as never)).catch(() => {})
  })
}

/** The same without looking at it: the cost of a stream that is not read. */
function minPipe(target: string): void {
  const pool = new Pool(target)
  proxy((body, path, response) => {
    const sent = { method: 'POST' as const, path, headers: HEADERS, body }
    pool.stream(sent, ({ statusCode, headers }) => response.writeHead(statusCode, headers as never)).catch(() => {})
  })
}

/** Kept, so that the look at a history is not taken for useless and left out. */
export let found = 0

/** Nothing between the two sockets that can be left out. */
function fastParse(target: string): void {
  const pool = new Pool(target)
  proxy((body, path, response) => {
    const { messages } = JSON.parse(body.toString()) as { messages: Message[] }
    found += unpaired(messages)
    const call = { method: 'POST', path, headers: HEADERS, body }
    pool.dispatch(call as Dispatcher.DispatchOptions, handlerOf(response) as unknown as Dispatcher.DispatchHandler)
  })
}

interface Message {
  readonly tool_calls?: readonly { readonly id: string }[]
  readonly tool_call_id?: string
}

function unpaired(messages: readonly Message[]): number {
  const open = new Set<string>()
  for (const { tool_calls, tool_call_id } of messages) {
    if (tool_calls) for (const { id } of tool_calls) open.add(id)
    if (tool_call_id !== undefined) open.delete(tool_call_id)
  }
  return open.size
}

function handlerOf(response: ServerResponse) {
  return {
    onConnect() {},
    onHeaders(status: number, raw: readonly Buffer[], resume: () => void) {
      response.writeHead(
        status,
        raw.map((one) => one.toString('latin1')),
      )
      response.on('drain', resume)
      return true
    },
    onData: (piece: Buffer) => response.write(piece),
    onComplete: () => void response.end(),
    onError: () => void response.destroy(),
  }
}

function proxy(serve: (body: Buffer, path: string, response: ServerResponse) => void): void {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => serve(Buffer.concat(pieces), request.url!, response))
  })
  server.listen(0, '127.0.0.1', () => ready(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
}

async function ours(target: string): Promise<void> {
  const log = process.env['LOG'] ? { log: () => {} } : {}
  const upstreams = Object.fromEntries(
    ['openai', 'anthropic', 'gemini', 'bedrock'].map((name) => [name, { url: `${target}/${name}` }]),
  )
  const most = Number(process.env['MAX_BUFFERED'])
  const limits = most ? { limits: { maxBufferedBytes: most } } : {}
  const app = gateway({ upstreams, ...log, ...limits })
  ready((await app.listen({ port: 0 })).url)
}

function ready(url: string): void {
  process.on('message', () => process.send!(process.cpuUsage()))
  // The parent process is gone, or asks for the profile (BENCH_NODE=--cpu-prof).
  process.on('disconnect', () => process.exit())
  process.on('SIGINT', () => process.exit())
  process.send!(url)
}

const roles: Readonly<Record<string, (target: string) => unknown>> = {
  'min-parse': minParse,
  'min-pipe': minPipe,
  'fast-parse': fastParse,
  gateway: ours,
}

export interface Proxied {
  readonly name: string
  readonly url: string
  /** Headers that it wants beside the usual ones. */
  readonly headers: Readonly<Record<string, string>>
  readonly child?: ChildProcess
}

const pinned = spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0 && availableParallelism() > 1

/** This process on the first processor, proxies alone on the second, where the system can do that. */
export function pin(): boolean {
  if (pinned) spawnSync('taskset', ['-acp', '0', String(process.pid)], { stdio: 'ignore' })
  return pinned
}

export function start(name: string, upstream: string): Promise<Proxied> {
  const child = launch([fileURLToPath(import.meta.url), name, upstream], ['inherit', 'inherit', 'inherit', 'ipc'])
  return new Promise((resolve) =>
    child.once('message', (url) => resolve({ name, url: String(url), headers: {}, child })),
  )
}

/**
 * `dir`: where `@portkey-ai/gateway` is installed with the versions of its lock file. Its ranges let in newer ones,
 * which serve faster and break its streams, so they have to be overridden: `"overrides": { "@hono/node-server":
 * "1.13.5" }` (1.15.2). What it runs with is printed.
 */
export async function startPortkey(dir: string, upstream: string): Promise<Proxied> {
  const script = `${dir}/node_modules/@portkey-ai/gateway/build/start-server.js`
  console.log(
    `@portkey-ai/gateway with ${['@hono/node-server', 'hono'].map((one) => versionOf(one, script)).join(', ')}.`,
  )
  const port = 18_787
  const child = launch([script, '--headless', `--port=${port}`], ['ignore', 'ignore', 'inherit'])
  const url = `http://127.0.0.1:${port}`
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` }
  for (let i = 0; i < 100; i++) {
    if (await fetch(url).catch(() => undefined)) return { name: 'portkey', url, headers, child }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`@portkey-ai/gateway did not start from ${dir}.`)
}

/** The version of a package that a script gets when it imports it. */
function versionOf(name: string, script: string): string {
  const found = createRequire(script).resolve(name)
  const folder = found.slice(0, found.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}/`.length)
  const { version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as { version: string }
  return `${name} ${version}`
}

/** A process of ours is asked; of another the system is, in ticks of 10 ms. */
export async function cpuOf(child: ChildProcess | undefined): Promise<number> {
  if (!child) return 0
  if (!child.connected) return ticksOf(child.pid!)
  child.send('cpu')
  return new Promise((resolve) => child.once('message', (used: NodeJS.CpuUsage) => resolve(used.user + used.system)))
}

async function ticksOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).replace(/^.*\) /, '').split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10_000
}

function launch(args: readonly string[], stdio: ('inherit' | 'ignore' | 'ipc')[]): ChildProcess {
  const flags = (process.env['BENCH_NODE'] ?? '').split(' ').filter(Boolean)
  const node = [process.execPath, ...flags, ...args]
  const [command, ...rest] = pinned ? ['taskset', '-c', '1', ...node] : node
  return spawn(command!, rest, { stdio })
}

const [, script, role, upstream] = process.argv
if (script === fileURLToPath(import.meta.url) && role !== undefined) await roles[role]!(upstream!)
