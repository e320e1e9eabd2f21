import { judge, type Verdict } from '../judge.ts'
import { agent } from './agent.ts'
import { failed, notJson, overflowLimit, rejectedAnswer, spoken, WIRES } from './answers.ts'
import { checkContract, checkedStep } from './check.ts'
import { speak } from './compose-reply.ts'
import { type Faults, readFaultHeader, readFaults, writeFaults } from './faults.ts'
import { encode } from './frames.ts'
import { randoms, seedOf } from './hash.ts'
import { isObject } from './json.ts'
import { createMemory, type Memory } from './memory.ts'
import { overfull } from './overflow.ts'
import { isProvider } from './providers.ts'
import { modelOf, NO_MODEL, type Route, route } from './route.ts'
import { createThreads, type Threads } from './threads.ts'
import type {
  Answer,
  Contract,
  ContractOptions,
  Ending,
  IncomingRequest,
  JsonObject,
  Reply,
  RequestRecord,
  Step,
} from './types.ts'

export interface Incoming {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

export interface Core extends Contract {
  /** Makes the whole answer at once; `over` tells the record how sending it ended. */
  answer(incoming: Incoming): { readonly answer: Answer; over(ending: Ending): void }
}

interface State {
  readonly options: ContractOptions
  readonly steps: Step[]
  readonly memory: Memory
  readonly threads: Threads
  readonly dice: () => number
}

type Decision = Pick<RequestRecord, 'answer' | 'provider' | 'endpoint' | 'model' | 'stream' | 'verdict' | 'faults'>

/** The server without a socket: bytes in, an answer out. */
export function createCore(options: ContractOptions = {}): Core {
  checkContract(options)
  const maxRequests = options.maxRequests ?? 1_000
  const chance = options.chance ?? { seed: 0, faults: {} }
  readFaults(Object.keys(chance.faults))
  const memory = createMemory(1_000)
  const state: State = { options, steps: [], memory, threads: createThreads(1_000), dice: randoms(chance.seed) }
  const requests: RequestRecord[] = []
  const script = (...steps: readonly Step[]) => {
    for (const step of steps) if (typeof step !== 'function') faultsOf(checkedStep(step))
    state.steps.push(...steps)
  }
  script(...(options.script ?? []))
  return {
    requests,
    script,
    answer(incoming) {
      const body = parsed(incoming.bytes)
      const decision = decide(incoming, body, state)
      let over: (ending: Ending) => void = () => {}
      const done = new Promise<Ending>((resolve) => {
        over = resolve
      })
      requests.push({ ...incoming, body, ...decision, done })
      requests.splice(0, requests.length - maxRequests)
      return { answer: decision.answer, over }
    },
  }
}

function decide(incoming: Incoming, body: unknown, state: State): Decision {
  const named = incoming.headers['x-contract-provider'] ?? state.options.provider
  if (named !== undefined && !isProvider(named)) return own(400, `No such provider: ${named}.`)
  const place = route(incoming.path, named, incoming.headers)
  if (!place) return own(404, `No endpoint at ${incoming.path}.`)
  if (incoming.method !== 'POST') return own(405, `The method ${incoming.method} is not supported. Use POST.`)
  const struck = strikes(incoming.headers['x-contract-fault'], state)
  if (struck instanceof RangeError) return own(400, struck.message)
  const ask = askOf(place, incoming, isObject(body) ? body : {})
  return { ...answerTo(ask, body, struck, incoming, state), ...placed(ask) }
}

function answerTo(ask: IncomingRequest, body: unknown, struck: Faults, { bytes, headers }: Incoming, state: State) {
  const known = judged(ask, body, headers, state)
  const { verdict } = known
  if (!verdict.accepted) return { verdict, answer: rejectedAnswer(verdict, ask, new Map()), faults: [] }
  const early = failed(struck, ask, state.options, bytes.length)
  if (early) return { verdict, answer: early, faults: writeFaults(struck) }
  const reply = replyTo(known.ask, state)
  const faults = new Map([...struck, ...faultsOf(reply)])
  const sent = overflowLimit(faults, ask, state.options) === undefined ? reply : overfull(ask)
  const answer = failed(faults, ask, state.options, bytes.length) ?? spoken(sent, faults, known.ask)
  if (answer.status === 200) remember(known.ask, body, reply, state)
  return { verdict, answer, faults: writeFaults(faults) }
}

// What the provider holds is put in first: judge and agent see the whole list.
function judged(
  ask: IncomingRequest,
  body: unknown,
  headers: Incoming['headers'],
  state: State,
): { ask: IncomingRequest; verdict: Verdict } {
  const whole = isObject(body) ? recalled(ask, body, headers, state) : body
  if (isObject(whole) && whole['accepted'] === false) return { ask, verdict: whole as unknown as Verdict }
  if (!isObject(whole)) return { ask, verdict: notJson(ask) }
  const { provider, endpoint, model, stream } = ask
  const named = model === NO_MODEL ? {} : { model }
  const { issuedIds: given } = state.memory
  const verdict = judge({ provider, endpoint, ...named, headers, body: whole, stream, issuedIds: given })
  return { ask: { ...ask, body: { ...ask.body, ...whole } }, verdict }
}

function recalled(
  { endpoint }: IncomingRequest,
  body: JsonObject,
  headers: Incoming['headers'],
  { memory, threads }: State,
): JsonObject | Verdict {
  if (endpoint === 'responses') return memory.recall(body)
  return endpoint === 'messages' ? threads.recall(body, headers) : body
}

function remember(ask: IncomingRequest, body: unknown, reply: Reply, { memory, threads }: State): void {
  const { endpoint } = ask
  const isThread = endpoint === 'messages' && isObject(body) && isObject(body['thread'])
  const answer = () => WIRES[endpoint].whole(speak(reply, ask), ask) as JsonObject
  if (endpoint === 'responses') memory.keep(ask.body, answer())
  else if (isThread) threads.keep(ask.body, answer())
}

function replyTo(ask: IncomingRequest, { steps, options }: State): Reply {
  const step = steps.shift()
  const reply = typeof step === 'function' ? step(ask) : step
  const { parts, text, calls, reasoning } = reply ?? {}
  const silent = parts === undefined && text === undefined && calls === undefined && reasoning === undefined
  return silent ? { ...agent(ask, options.parallelCalls ?? false), ...reply } : reply!
}

function faultsOf(reply: Reply): Faults {
  const { fault = [] } = reply
  return readFaults(typeof fault === 'string' ? [fault] : fault)
}

// Every possible fault draws a random number for every request, so that one more fault does not change the others.
function strikes(header: string | undefined, { options, dice }: State): Faults | RangeError {
  const chances = Object.entries(options.chance?.faults ?? {})
  const struck = chances.filter(([, probability]) => dice() < (probability ?? 0)).map(([fault]) => fault)
  try {
    return new Map([...readFaults(struck), ...readFaultHeader(header)])
  } catch (error) {
    return error instanceof RangeError ? error : new RangeError(String(error))
  }
}

function askOf(place: Route, { bytes }: Incoming, body: JsonObject): IncomingRequest {
  const { provider, endpoint, framing } = place
  const stream = place.stream ?? body['stream'] === true
  const tokens = Math.ceil(bytes.length / 4)
  return { provider, endpoint, framing, model: modelOf(place, body), stream, body, seed: seedOf(bytes), tokens }
}

function placed({ provider, endpoint, model, stream }: IncomingRequest) {
  return { provider, endpoint, model, stream }
}

/** An error of the contract itself, not of a provider. */
function own(status: number, message: string): Decision {
  const bytes = encode(JSON.stringify({ contract: message }))
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  return { faults: [], answer: { status, headers, writes: [bytes], ending: 'end', delay: 0, pace: 0 } }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
