import type { Endpoint, Verdict } from '../judge.ts'
import type { Fault } from './faults.ts'

/** One part of a reply. */
export type Part = TextPart | ReasoningPart | CallPart

/** Text of a reply. */
export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  /** Gemini's thoughtSignature on the last piece of the text. */
  readonly signature?: string
}

/** Reasoning of a reply. */
export interface ReasoningPart {
  readonly kind: 'reasoning'
  readonly text: string
  /** Anthropic's signature, Gemini's thoughtSignature, Responses' encrypted_content. Default: generated. */
  readonly signature?: string
  /** Anthropic and Bedrock only: the text is withheld, and only the signature is sent. */
  readonly redacted?: boolean
}

/** A tool call of a reply. */
export interface CallPart {
  readonly kind: 'call'
  readonly name: string
  /** An object, or the exact characters to send: `'{"city": "Pa'` is half an object. */
  readonly arguments?: unknown
  readonly id?: string
  /** Gemini's thoughtSignature on the call itself. */
  readonly signature?: string
}

/** `overflow`: the stop reason of providers that accept a prompt that is too long. */
export type Stop = 'end' | 'calls' | 'length' | 'refusal' | 'overflow'

/** Token counts of a reply. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly reasoning: number
}

/** The reply to one request. `parts` is for an order that the three fields above cannot express. */
export interface Reply {
  readonly reasoning?: string | Omit<ReasoningPart, 'kind'>
  readonly text?: string
  readonly calls?: readonly Omit<CallPart, 'kind'>[]
  readonly parts?: readonly Part[]
  readonly stop?: Stop
  /** The provider's own stop reason, instead of `stop`: `MALFORMED_FUNCTION_CALL`, `insufficient_system_resource`. */
  readonly finish?: string
  readonly usage?: Partial<Usage>
  /** Bytes of text, reasoning or arguments in one delta, in whole characters. */
  readonly chunkBytes?: number
  /** Bytes in one write; a write may end inside an event or a character. */
  readonly writeBytes?: number
  /** Milliseconds between two writes. */
  readonly paceMs?: number
  readonly fault?: Fault | readonly Fault[]
}

/** A reply, or a function of the request. Only accepted requests use a step. */
export type Step = Reply | ((ask: IncomingRequest) => Reply)

/** A request that the contract has read. */
export interface IncomingRequest {
  readonly provider: string
  readonly endpoint: Endpoint
  readonly model: string
  readonly stream: boolean
  readonly framing: Framing
  readonly body: JsonObject
  /** Derived from the bytes of the request, for ids and signatures: the same request gets the same answer. */
  readonly seed: string
  /** Tokens of the request: bytes / 4. */
  readonly tokens: number
}

export type Framing = 'sse' | 'array' | 'eventstream'
export type JsonObject = { readonly [key: string]: unknown }

/** A reply with all ids, signatures and usage. */
export interface ComposedReply {
  readonly parts: readonly ComposedPart[]
  readonly stop: Stop
  readonly finish?: string
  readonly usage: Usage
  readonly chunk: number
}

export type ComposedPart =
  | TextPart
  | (ReasoningPart & { readonly signature: string })
  | (CallPart & { readonly id: string; readonly json: string })

/** One wire format: the complete answer, and the same answer as events. */
export interface Wire {
  whole(reply: ComposedReply, ask: IncomingRequest): unknown
  events(reply: ComposedReply, ask: IncomingRequest): readonly WireEvent[]
  /** The form of an error inside a stream; `at`: number of events before it. */
  failed(failure: Failure, ask: IncomingRequest, at: number): WireEvent
}

export interface WireEvent {
  readonly name?: string
  /** An object, or a word such as `[DONE]`. Absent in a comment. */
  readonly data?: unknown
  /** An SSE comment instead of data. */
  readonly comment?: string
  /** The characters of a call's arguments in this event. */
  readonly carries?: string
  /** Without framing, as some relays write their errors. */
  readonly bare?: boolean
  /** Bedrock: the event is an exception. */
  readonly exception?: boolean
}

/** An error of the provider. */
export interface Failure {
  readonly status: number
  readonly message: string
  readonly type?: string
  readonly code?: string | null
  readonly param?: string | null
}

/** How an answer ended: complete, cut by a fault, held open, or the client disconnected. */
export type Ending = 'end' | 'cut' | 'stall' | 'disconnected'

/** The bytes of an answer and how they are sent. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly writes: readonly Uint8Array[]
  readonly ending: Exclude<Ending, 'disconnected'>
  readonly delay: number
  readonly pace: number
}

/** A request and its answer. */
export interface RequestRecord {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly body: unknown
  readonly provider?: string
  readonly endpoint?: Endpoint
  readonly model?: string
  readonly stream?: boolean
  readonly verdict?: Verdict
  readonly faults: readonly string[]
  readonly answer: Answer
  /** Resolves when nothing more will be sent. */
  readonly done: Promise<Ending>
}

/** Options of an emulator. */
export interface ContractOptions {
  /** The provider that answers if the request names none. */
  readonly provider?: string
  readonly script?: readonly Step[]
  /** The default agent calls all declared tools in one round. Default: one per round. */
  readonly parallelCalls?: boolean
  /** Tokens (bytes / 4) above which a request is rejected in the provider's words. */
  readonly tokenLimit?: number
  /** Bytes above which a request is answered with 413. */
  readonly byteLimit?: number
  /** Random faults: the same seed gives the same faults. */
  readonly chance?: { readonly seed: number; readonly faults: Readonly<Partial<Record<Fault, number>>> }
  /** Length of `requests`; the oldest are dropped first. Default: 1,000. */
  readonly maxRequests?: number
}

/** What the server and the `fetch` have in common. */
export interface Contract {
  readonly requests: readonly RequestRecord[]
  /** Adds steps: each accepted request uses one. After the last step the default agent answers. */
  script(...steps: readonly Step[]): void
}
