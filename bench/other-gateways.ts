/**
 * Twenty broken chat histories through other gateways, as their documentation recommends: which requests the provider
 * accepts, which real tool outputs are lost, whether a valid body arrives unchanged, and requests a second.
 * Usage: npm run bench:other-gateways. Portkey's gateway is installed from npm at the versions of its lock file.
 * LiteLLM is installed with pip into bench/peers/litellm; LITELLM_DIR names an environment that has it. What cannot be
 * installed is skipped with a line that says so.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { startContract } from '../contract/index.ts'
import { openaiChat } from '../src/dialects/openai-chat/index.ts'
import { gateway } from '../src/gateway/index.ts'
import { conversation, corruptions, Random } from '../src/testing/corruptions/index.ts'
import { lostContent } from '../test/content-kept.ts'
import { HEADERS, load, requestOf } from './gateway-load.ts'
import { type Proxied, start, startPortkey } from './gateway-proxies.ts'

const LITELLM = 'litellm[proxy]==1.106.2'
const PORTKEY = resolve('bench/peers/portkey')
const LITELLM_DIR = resolve(process.env['LITELLM_DIR'] ?? 'bench/peers/litellm')
const TRIALS = 20
const WAIT_MS = 180_000
/** LiteLLM's proxy does not start without a key of its own. */
const KEY = HEADERS.authorization.replace('Bearer ', '')
const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

interface Message {
  readonly role: string
}

interface Subject extends Proxied {
  /** The model that the client asks for. */
  readonly model: string
  readonly path: string
  /** Requests to measure the rate with; 0: measured in another row. */
  readonly rateOver: number
}

const contract = await startContract({ maxRequests: 10 })
const tap = await startTap(contract.url)
const children: ChildProcess[] = []
const closing: (() => Promise<void>)[] = []
try {
  const own = await started()
  const subjects = [...own, ...(await startedLiteLlm(own.at(-1)!))]
  console.log(`${'through'.padEnd(34)} accepted  lost real outputs  valid body   requests a second, 2 kB`)
  for (const subject of subjects) console.log(await rowOf(subject))
} finally {
  for (const close of closing) await close()
  for (const child of children) child.kill()
  tap.close()
  await contract.close()
}

async function started(): Promise<Subject[]> {
  const chat = { model: 'gpt-4o', path: '/v1/chat/completions', rateOver: 3_000 }
  const proxied = async (made: Promise<Proxied>) => {
    const proxy = await made
    if (proxy.child) children.push(proxy.child)
    return proxy
  }
  const direct = { name: 'nothing between', url: `${tap.url}/openai`, headers: {}, ...chat }
  const ours = {
    ...(await proxied(start('gateway', tap.url))),
    ...chat,
    name: 'Suture',
    path: '/openai/v1/chat/completions',
  }
  if (
    !existsSync(join(PORTKEY, 'node_modules')) &&
    !runs('npm', ['ci', '--ignore-scripts', '--loglevel=error'], PORTKEY)
  )
    return [direct, skipped('Portkey', 'npm cannot install it') ?? ours]
  const portkey = await proxied(startPortkey(PORTKEY, `${tap.url}/openai`))
  return [direct, { ...portkey, ...chat, name: 'Portkey 1.15.2' }, ours]
}

/** Without and with `modify_params`, which completes missing results on the way to Anthropic only. */
async function startedLiteLlm(ours: Subject): Promise<Subject[]> {
  const python = join(LITELLM_DIR, 'bin/python')
  const isInstalled = existsSync(join(LITELLM_DIR, 'bin/litellm'))
  const isThere = isInstalled || (runs('python3', ['-m', 'venv', LITELLM_DIR]) && hasLiteLlm(python))
  if (!isThere) return skipped('LiteLLM', 'python3 and pip cannot install it') ?? []
  const plain = await startLiteLlm('LiteLLM', 18_801, 'openai/gpt-4o', `${tap.url}/openai/v1`, false)
  const before = await gateway({ upstreams: { openai: { url: plain.url } } }).listen({ port: 0 })
  closing.push(() => before.close())
  return [
    plain,
    { ...plain, name: 'Suture, then LiteLLM', url: before.url, path: '/openai/v1/chat/completions', rateOver: 0 },
    await startLiteLlm('LiteLLM, then Suture', 18_804, 'openai/gpt-4o', `${ours.url}/openai/v1`, false),
    await startLiteLlm('LiteLLM, to Anthropic', 18_802, 'anthropic/claude-sonnet-4-5', `${tap.url}/anthropic`, false),
    await startLiteLlm('… with modify_params', 18_803, 'anthropic/claude-sonnet-4-5', `${tap.url}/anthropic`, true),
  ]
}

function hasLiteLlm(python: string): boolean {
  return runs(python, ['-m', 'pip', 'install', '--quiet', LITELLM])
}

function runs(command: string, args: readonly string[], cwd = process.cwd()): boolean {
  return spawnSync(command, args, { cwd, stdio: 'inherit' }).status === 0
}

function skipped(name: string, why: string): undefined {
  console.log(`${name} skipped: ${why} here.`)
}

async function startLiteLlm(
  name: string,
  port: number,
  model: string,
  base: string,
  modifies: boolean,
): Promise<Subject> {
  mkdirSync('dist/bench', { recursive: true })
  const config = resolve(`dist/bench/litellm-${port}.json`)
  const list = [{ model_name: 'm', litellm_params: { model, api_base: base, api_key: 'sk-none' } }]
  const settings = { modify_params: modifies, num_retries: 0, telemetry: false }
  // JSON is YAML.
  writeFileSync(
    config,
    JSON.stringify({ model_list: list, litellm_settings: settings, general_settings: { master_key: KEY } }),
  )
  const args = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False']
  const env = { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True', NO_PROXY: '*' }
  const child = spawn(join(LITELLM_DIR, 'bin/litellm'), args, { env, stdio: 'ignore' })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  await answering(`${url}/health/liveliness`, child)
  return {
    name,
    url,
    headers: {},
    child,
    model: 'm',
    path: '/v1/chat/completions',
    rateOver: name === 'LiteLLM' ? 200 : 0,
  }
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + WAIT_MS
  while (child.exitCode === null && Date.now() < until) {
    if (await fetch(url).catch(() => undefined)) return
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new Error(`${child.spawnargs[0]} did not start.`)
}

async function rowOf(subject: Subject): Promise<string> {
  const histories = broken()
  let [accepted, lost] = [0, 0]
  for (const messages of histories) {
    const { status } = await send(subject, JSON.stringify({ model: subject.model, messages, max_tokens: 100 }))
    if (status !== 200) continue
    accepted++
    const results = messages.filter(({ role }) => role === 'tool')
    if (lostContent(results, JSON.parse(tap.last.toString())) !== undefined) lost++
  }
  const valid = await validBody(subject)
  const rate = await rateOf(subject)
  const cells = [`${accepted} of ${histories.length}`.padStart(8), `in ${lost}`.padStart(18)]
  return `${subject.name.padEnd(34)} ${cells.join(' ')}  ${valid.padEnd(12)} ${rate.padStart(10)}`
}

/** The first conversations made by seed that a reported fault applies to. */
function broken(): readonly (readonly Message[])[] {
  const found: (readonly Message[])[] = []
  for (let seed = 1; found.length < TRIALS; seed++) {
    const random = new Random(seed)
    const corruption = corruptions[seed % corruptions.length]!
    const history = corruption.apply(conversation('openai-chat', random), openaiChat, random)
    if (history && history.length > 0) found.push(history as readonly Message[])
  }
  return found
}

/** Written as another language writes JSON: spaces, escapes, `1.0`. */
async function validBody(subject: Subject): Promise<string> {
  const body = `{"model": "${subject.model}", "temperature": 1.0, "max_tokens": 100, "messages": [{"role": "user", "content": "Gr\\u00fc\\u00df dich"}]}`
  const { status } = await send(subject, body)
  if (status !== 200) return `HTTP ${status}`
  return tap.last.toString() === body ? 'same bytes' : 'rewritten'
}

async function rateOf(subject: Subject): Promise<string> {
  if (subject.rateOver === 0) return '-'
  tap.fixed = true
  const text = 'What is the weather like in the towns along the coast today? '.repeat(32)
  const body = JSON.stringify({ model: subject.model, messages: [{ role: 'user', content: text }] })
  const { origin, pathname } = new URL(subject.url)
  const path = `${pathname.replace(/\/$/, '')}${subject.path}`
  const request = requestOf(path, Buffer.from(body), subject.headers)
  await load(origin, request, 8, 50)
  const { count, seconds } = await load(origin, request, 16, subject.rateOver)
  tap.fixed = false
  return String(Math.round(count / seconds))
}

function send(subject: Subject, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: HEADERS.authorization, ...subject.headers }
  return fetch(`${subject.url}${subject.path}`, { method: 'POST', headers, body })
}

/** An upstream that keeps the bytes of the last request and passes it on to the contract, or answers at once. */
async function startTap(target: string) {
  const state = { url: '', last: Buffer.alloc(0), fixed: false, close: () => server.close() }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', async () => {
      state.last = Buffer.concat(pieces)
      const headers = { 'content-type': 'application/json' }
      if (state.fixed) return void response.writeHead(200, headers).end(ANSWER)
      const answer = await fetch(`${target}${request.url}`, { method: 'POST', headers, body: state.last })
      response.writeHead(answer.status, headers).end(await answer.text())
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}
