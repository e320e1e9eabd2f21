/**
 * Requests to a gateway in front of the contract, to its own API and to proxied endpoints: an answer of its own is
 * never a 5xx, no body has a stack, and the next request is served.
 */
import { request } from 'node:http'
import { startContract } from '../../contract/index.ts'
import { compactor, compactorForAppend } from '../../src/cli/server/compactor.ts'
import { gateway } from '../../src/gateway/index.ts'
import { memoryStore } from '../../src/stores/memory.ts'
import { mutated, odd, pick } from './mutate.ts'
import type { Input, Random, Surface } from './surface.ts'

const NAMES = ['openai', 'anthropic', 'gemini', 'bedrock', 'mistral', 'openrouter'] as const
const MODES = ['append', 'record', 'pass', undefined, undefined]

interface Endpoint {
  readonly path: string
  readonly body: object
}

const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }
const call = { id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }
const longChat = {
  ...chat,
  tools: [{ type: 'function', function: { name: 'ls', parameters: { type: 'object' } } }],
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'List' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' },
    { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
  ],
}
const claude = {
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    { role: 'user', content: 'List' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: { path: '.' } }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'a' }] }],
    },
  ],
}
const gemini = {
  contents: [
    { role: 'user', parts: [{ text: 'List' }] },
    { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { output: 'a' } } }] },
  ],
}
const responses = {
  model: 'gpt-5.4',
  input: [
    { role: 'user', content: [{ type: 'input_text', text: 'List' }] },
    { type: 'function_call', call_id: 'call_1', name: 'ls', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'a' },
  ],
}
const converse = {
  messages: [
    { role: 'user', content: [{ text: 'List' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 't1', name: 'ls', input: {} } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 't1', content: [{ text: 'a' }] } }] },
  ],
}

const PROXIED: readonly Endpoint[] = [
  { path: '/openai/v1/chat/completions', body: chat },
  { path: '/openai/v1/chat/completions', body: longChat },
  { path: '/openai/v1/chat/completions', body: { ...longChat, stream: true } },
  { path: '/mistral/v1/chat/completions', body: longChat },
  { path: '/openrouter/api/v1/chat/completions', body: longChat },
  { path: '/openai/v1/responses', body: responses },
  { path: '/anthropic/v1/messages', body: claude },
  { path: '/anthropic/v1/messages', body: { ...claude, stream: true } },
  { path: '/anthropic/v1/messages/count_tokens', body: claude },
  { path: '/gemini/v1beta/models/gemini-2.5-flash:generateContent', body: gemini },
  { path: '/gemini/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse', body: gemini },
  { path: '/bedrock/model/us.anthropic.claude-sonnet-4-6-v1:0/converse', body: converse },
]

const OWN: readonly (readonly [method: string, path: string, body: object])[] = [
  ['GET', '/suture/v1/sessions?after=ID&limit=5', {}],
  ['GET', '/suture/v1/sessions?details=true', {}],
  ['GET', '/suture/v1/sessions/ID', {}],
  ['GET', '/suture/v1/sessions/ID?size=5&from=newest&cursor=ID', {}],
  ['GET', '/suture/v1/sessions/ID/history', {}],
  ['GET', '/suture/v1/sessions/ID/turns', {}],
  ['GET', '/suture/v1/sessions/ID/export?last=1', {}],
  ['GET', '/suture/v1/sessions/ID/compactions', {}],
  ['GET', '/suture/v1/sessions/ID/verify', {}],
  ['POST', '/suture/v1/sessions/ID/revert', { turn: 1 }],
  ['POST', '/suture/v1/sessions/ID/undo', {}],
  ['POST', '/suture/v1/sessions/ID/fork', { id: 'other', turn: 1 }],
  ['POST', '/suture/v1/sessions/ID/plan', { budget: { limit: 50 }, pins: ['a'], force: true }],
  ['POST', '/suture/v1/sessions/ID/compact', { budget: { limit: 50, target: 0.5 }, pins: [], force: true }],
  ['DELETE', '/suture/v1/sessions/ID', {}],
  ['GET', '/suture/openapi.json', {}],
  ['GET', '/suture/metrics', {}],
  ['GET', '/suture/ready', {}],
]

const IDS = [
  'a',
  'b',
  'c',
  'one~2',
  '%00',
  '%2e%2e',
  '%ff',
  '__proto__',
  'a%0d%0ab',
  'ä'.repeat(10),
  '',
  '%F0%9F%98%80',
  '~',
]

function idOf(random: Random): string {
  return random(3) > 0 ? pick(['a', 'b', 'c'], random) : random(8) === 0 ? 'x'.repeat(9000) : pick(IDS, random)
}

/** A path with one more odd character, as it may be in a request line. */
function oddPath(path: string, random: Random): string {
  const at = random(path.length + 1)
  return encodeURI(
    path.slice(0, at) +
      pick(['%', '%00', '%0a', '?', '&', '//', '~', '=', '\u0085', '%u0041', ';', '+'], random) +
      path.slice(at),
  ).replaceAll('%25', '%')
}

export function gatewayRequests(): Surface {
  let started: ReturnType<typeof start> | undefined
  return {
    name: 'gateway',
    make(random) {
      const isOwn = random(2) === 0
      const [method, path, body] = isOwn ? pick(OWN, random) : ['POST', ...Object.values(pick(PROXIED, random))]
      const named = String(path).replaceAll('ID', () => encodeURI(idOf(random)).replaceAll('%25', '%'))
      const mode = isOwn ? undefined : pick(MODES, random)
      const session = mode === undefined && random(2) === 0 ? undefined : idOf(random)
      const about = {
        method: random(20) === 0 ? pick(['PUT', 'PATCH', 'OPTIONS', 'HEAD', 'GET'], random) : String(method),
        path: random(6) === 0 ? oddPath(named, random) : named,
        headers: {
          ...(mode === undefined ? {} : { 'suture-mode': mode }),
          ...(isOwn || session === undefined ? {} : { 'suture-session': session }),
          ...oddHeaders(random),
        },
      }
      return { bytes: mutated(JSON.stringify(random(15) === 0 ? odd(random) : body), random), about }
    },
    async check(input) {
      started ??= start()
      const { url } = await started
      return (await wrongAnswer(url, input)) ?? (await wrongAnswer(url, VALID))
    },
    async close() {
      const running = await started
      await running?.close()
    },
  }
}

const VALID: Input = {
  bytes: Buffer.from(JSON.stringify(chat)),
  about: { method: 'POST', path: '/openai/v1/chat/completions', headers: {} },
}

function oddHeaders(random: Random): Readonly<Record<string, string>> {
  if (random(5) > 0) return {}
  const name = pick(
    [
      'suture',
      'suture-parent',
      'content-encoding',
      'content-type',
      'traceparent',
      'anthropic-version',
      'x-session-id',
      'session_id',
      'idempotency-key',
      'accept',
      'last-event-id',
    ],
    random,
  )
  return {
    [name]: pick(
      ['', 'off', 'gzip', 'br', 'zstd', '00-0-0-0', 'x'.repeat(9000), '{}', '\u0085', '__proto__', '-1'],
      random,
    ),
  }
}

async function start() {
  const contract = await startContract({ maxRequests: 100 })
  const upstreams = Object.fromEntries(NAMES.map((name) => [name, { url: `${contract.url}/${name}`, provider: name }]))
  const server = gateway({
    upstreams,
    store: memoryStore(),
    compactor: { ...compactor, ...compactorForAppend() },
    log: () => {},
  })
  const listening = await server.listen({ port: 0 })
  const close = async () => {
    await listening.close(0)
    await contract.close()
  }
  return { url: listening.url, close }
}

/** Answers that mean that something is missing, and not that something failed. */
const FINE = new Set([501])

async function wrongAnswer(url: string, input: Input): Promise<string | undefined> {
  const { status, body, code } = await answerTo(url, input)
  if (status >= 500 && !FINE.has(status)) return `status ${status}${code ? ` (${code})` : ''}: ${body.slice(0, 300)}`
  return /\n\s+at .*:\d+:\d+/.test(body) ? `a stack in the answer: ${body.slice(0, 300)}` : undefined
}

interface Answer {
  readonly status: number
  readonly body: string
  /** Of the gateway's own errors. */
  readonly code?: string | undefined
}

function answerTo(url: string, { bytes, about }: Input): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    ...(about['headers'] as object),
    'content-length': bytes.length,
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/`, {
      method: String(about['method']),
      path: String(about['path']),
      headers,
      agent: false,
    })
    sent.on('response', (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (piece) => (body += piece))
      response.on('error', reject)
      const code = response.headers['suture-error']
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body, code: code === undefined ? undefined : String(code) }),
      )
    })
    sent.on('error', reject)
    sent.end(bytes)
  })
}
