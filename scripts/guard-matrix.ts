/**
 * Every class of fault at every provider, streaming or not, with the official clients.
 * Run by test/guard-faults.test.ts and written down by scripts/guard-faults.ts.
 */
import { contractFetch, type Fault, type Reply } from '../contract/index.ts'
import { type GuardEvent, guard } from '../src/guard/index.ts'
import type { ProviderId } from '../src/providers/index.ts'
import { type Client, clientAt, type Way } from './guard-clients.ts'

export const TEXT = 'The answer of the model: sunny, déjà vu, 中文, and a few more words for the last events.'

/** One class of fault: what the provider does, request by request, and what the caller should see. */
export interface Class {
  readonly name: string
  readonly says: string
  readonly history: 'valid' | 'broken' | 'long'
  readonly steps: (stream: boolean) => readonly Fault[][]
  /**
   * `answer`: the whole answer · `error`: the client throws · `silence`: half an answer, without an error, as without
   * the guard.
   */
  readonly expects: (way: Way) => 'answer' | 'error' | 'silence'
  readonly only?: (way: Way) => boolean
}

const once = (...faults: Fault[]) => [faults, [], []]
const always = (...faults: Fault[]) => Array.from({ length: 12 }, () => faults)
const answer = () => 'answer' as const
const error = () => 'error' as const
/** After output nothing is asked for again; a whole answer has no output before its end. */
const unlessStreamed = ({ stream }: Way) => (stream ? 'error' : 'answer')

const TOO_LONG = '{"error":{"message":"prompt is too long: 9000 tokens > 4000 maximum","type":"invalid_request_error"}}'

export const classes: readonly Class[] = [
  { name: 'nothing', says: 'a valid request', history: 'valid', steps: () => [[]], expects: answer },
  { name: 'history', says: 'a call without its result', history: 'broken', steps: () => [[]], expects: answer },
  {
    name: 'overflow',
    says: 'too many tokens, most of them in one tool result',
    history: 'long',
    steps: () => always('overflow=4000'),
    // Cerebras answers 400 without a text, and a request of 40 kB does not suggest a size limit.
    expects: ({ provider }) => (provider === 'cerebras' ? 'error' : 'answer'),
    // Providers that accept a prompt that is too long, with or without a finish reason for it.
    only: ({ provider }) => !['zhipu', 'mimo', 'ollama'].includes(provider),
  },
  {
    name: 'too large',
    says: '413, most of it one tool result',
    history: 'long',
    steps: () => once('too-large'),
    expects: answer,
  },
  {
    name: 'spurious',
    says: 'a valid request is rejected as if it were broken, then accepted',
    history: 'valid',
    steps: () => once('spurious-rejection'),
    expects: answer,
  },
  {
    name: 'wrapped',
    says: "a relay's 400 around the provider's own, then well",
    history: 'valid',
    steps: () => once('wrapped'),
    expects: answer,
    only: ({ provider }) => provider === 'openrouter',
  },
  {
    name: 'wrapped overflow',
    says: 'the same around a prompt that is too long',
    history: 'long',
    steps: () => once(`wrapped=${TOO_LONG}`),
    expects: answer,
    only: ({ provider }) => provider === 'openrouter',
  },
  {
    name: 'rate limit',
    says: '429 with retry-after, then it works',
    history: 'valid',
    steps: () => once('status=429', 'retry-after=0'),
    expects: answer,
  },
  { name: 'down', says: '503, then it works', history: 'valid', steps: () => once('status=503'), expects: answer },
  { name: 'down for long', says: '503 each time', history: 'valid', steps: () => always('status=503'), expects: error },
  { name: 'key', says: '401', history: 'valid', steps: () => always('status=401'), expects: error },
  {
    name: 'empty 500',
    says: '500 without a body, then it works',
    history: 'valid',
    steps: () => once('empty=500'),
    expects: answer,
  },
  {
    name: 'slow',
    says: 'a first byte that comes late',
    history: 'valid',
    steps: () => once('slow-first-byte=15'),
    expects: answer,
  },
  {
    name: 'cut at once',
    says: 'the connection breaks before the first byte',
    history: 'valid',
    steps: () => once('cut-after-bytes=0'),
    expects: answer,
  },
  {
    name: 'cut early',
    says: 'it breaks before any output',
    history: 'valid',
    steps: () => once('cut-after-bytes=20'),
    expects: answer,
  },
  {
    name: 'cut early for long',
    says: 'the same each time',
    history: 'valid',
    steps: () => always('cut-after-bytes=20'),
    expects: error,
  },
  {
    name: 'cut',
    says: 'it breaks in the middle of the answer',
    history: 'valid',
    steps: () => once('cut-in-character'),
    expects: unlessStreamed,
  },
  {
    name: 'false end',
    says: 'the answer ends politely in its middle',
    history: 'valid',
    steps: (stream) => once(stream ? 'end-after-events=8' : 'end-after-bytes=60'),
    expects: unlessStreamed,
  },
  {
    name: 'false [DONE]',
    says: 'the same with a [DONE]',
    history: 'valid',
    steps: () => once('done-after-events=8'),
    expects: () => 'silence',
    only: ({ endpoint, stream }) => endpoint === 'chat' && stream,
  },
  {
    name: 'error early',
    says: 'an error event before any output',
    history: 'valid',
    steps: () => once('error-event=0', 'status=503'),
    expects: answer,
    only: ({ stream }) => stream,
  },
  {
    name: 'error',
    says: 'an error event in the middle of the answer',
    history: 'valid',
    steps: () => once('error-event=8'),
    expects: error,
    only: ({ stream }) => stream,
  },
  {
    name: 'bare error',
    says: 'the same outside of any frame',
    history: 'valid',
    steps: () => once('bare-error=8'),
    expects: error,
    only: ({ stream, endpoint }) => stream && endpoint !== 'converse',
  },
]

/** What the caller saw. */
export interface Outcome {
  readonly saw: 'answer' | 'error' | 'silence' | 'hang'
  /** What came before that, of the text. */
  readonly text: string
  readonly thrown?: unknown
  /** How often the provider was asked. */
  readonly asked: number
  readonly events: readonly GuardEvent[]
  /** The answer with an error status that went to the client is the provider's last, byte for byte. */
  readonly own: boolean
}

/** The caller has an answer or an error by then; nothing in these classes waits for more than a few milliseconds. */
const BOUND = 15_000

export async function run(one: Class, way: Way): Promise<Outcome> {
  const script = one.steps(way.stream).map((fault): Reply => ({ text: TEXT, chunkBytes: 6, fault }))
  const contract = contractFetch({ script, provider: way.provider })
  const events: GuardEvent[] = []
  const guarded = guard({
    fetch: contract,
    provider: way.provider as ProviderId,
    onEvent: (event) => events.push(event),
    // Waits are reported, not waited for.
    wait: async (_milliseconds, signal) => signal?.throwIfAborted(),
  })
  let own = true
  const watched: typeof fetch = async (input, init) => {
    const response = await guarded(input, init)
    if (response.status < 400) return response
    const given = Buffer.from(await response.clone().arrayBuffer())
    own &&= given.equals(Buffer.concat(contract.requests.at(-1)!.answer.writes))
    return response
  }
  const reply = { text: '' }
  const client = clientAt(way, watched)
  const over = within(BOUND)
  try {
    const asked = client(one.history, (text) => {
      reply.text += text
    })
    const hangs = (await Promise.race([asked.then(() => false), over.passed])) === true
    const saw = hangs ? 'hang' : reply.text === TEXT ? 'answer' : 'silence'
    return { saw, ...reply, asked: contract.requests.length, events, own }
  } catch (thrown) {
    return { saw: 'error', ...reply, thrown, asked: contract.requests.length, events, own }
  } finally {
    over.stop()
  }
}

function within(milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const passed = new Promise<true>((resolve) => {
    timer = setTimeout(resolve, milliseconds, true)
  })
  return { passed, stop: () => clearTimeout(timer) }
}

export type { Client, Way }
