import type { Endpoint, Verdict } from '../judge.ts'
import type { Fault } from './faults.ts'

/** One piece of what the model says. */
export type Part = TextPart | ReasoningPart | CallPart

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  /** Gemini's thoughtSignature on the text's last piece. */
  readonly signature?: string
}

export interface ReasoningPart {
  readonly kind: 'reasoning'
  readonly text: string
  /** Anthropic's signature, Gemini's thoughtSignature, Responses' encrypted_content. Made up when absent. */
  readonly signature?: string
  /** Anthropic and Bedrock only: the text is withheld, the signature is all there is. */
  readonly redacted?: boolean
}

export interface CallPart {
  readonly kind: 'call'
  readonly name: string
  /** An object, or the very characters to send: `'{"city": "Pa'` is a model that wrote half an object. */
  readonly arguments?: unknown
  readonly id?: string
  /** Gemini's thoughtSignature on the call itself. */
  readonly signature?: string
}

/** `overflow` is the finish reason of those who take a prompt that is too long. */
export type Stop = 'end' | 'calls' | 'length' | 'refusal' | 'overflow'

export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly reasoning: number
}

/** What the model says to one request. `parts` is for an order that the three fields above it cannot say. */
export interface Reply {
  readonly reasoning?: string | Omit<ReasoningPart, 'kind'>
  readonly text?: string
  readonly calls?: readonly Omit<CallPart, 'kind'>[]
  readonly parts?: readonly Part[]
  readonly stop?: Stop
  /** The provider's own word for why it stopped, instead of `stop`'s: `MALFORMED_FUNCTION_CALL`, `insufficient_system_resource`. */
  readonly finish?: string
  readonly usage?: Partial<Usage>
  /** Bytes of text, reasoning or arguments in one delta. Whole characters, so at least one. */
  readonly chunk?: number
  /** Bytes in one write, wherever that cuts an event or a character. */
  readonly write?: number
  /** Milliseconds between two writes. */
  readonly pace?: number
  readonly fault?: Fault | readonly Fault[]
}

/** A reply, or one made for the request at hand. Only requests that were accepted take a step. */
export type Step = Reply | ((ask: IncomingRequest) => Reply)

/** What one request asks for. */
export interface IncomingRequest {
  readonly provider: string
  readonly endpoint: Endpoint
  readonly model: string
  readonly stream: boolean
  readonly framing: Framing
  readonly body: JsonObject
  /** Drawn from the bytes of the request: ids and signatures are made from it, so the same request gets the same answer. */
  readonly seed: string
  /** Tokens of the request: bytes / 4. */
  readonly tokens: number
}

export type Framing = 'sse' | 'array' | 'eventstream'
export type JsonObject = { readonly [key: string]: unknown }

/** A reply with nothing left open. */
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

/** One wire shape: the whole answer, and the same answer as events. */
export interface Wire {
  whole(reply: ComposedReply, ask: IncomingRequest): unknown
  events(reply: ComposedReply, ask: IncomingRequest): readonly WireEvent[]
  /** How an error looks inside a stream that began well; `at` counts the events before it. */
  failed(failure: Failure, ask: IncomingRequest, at: number): WireEvent
}

export interface WireEvent {
  readonly name?: string
  /** An object, or a bare word such as `[DONE]`. Absent in a comment. */
  readonly data?: unknown
  /** An SSE comment instead of data. */
  readonly comment?: string
  /** The characters of a call's arguments that are in it. */
  readonly carries?: string
  /** Without any framing, as some relays write their errors. */
  readonly bare?: boolean
  /** Bedrock: the event is an exception. */
  readonly exception?: boolean
}

/** What a provider says when it does not answer. */
export interface Failure {
  readonly status: number
  readonly message: string
  readonly type?: string
  readonly code?: string | null
  readonly param?: string | null
}

/** How an answer ended: whole, cut by us, held open without a word, or left by the client. */
export type Ending = 'end' | 'cut' | 'stall' | 'disconnected'

/** What goes out. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly writes: readonly Uint8Array[]
  readonly ending: Exclude<Ending, 'disconnected'>
  readonly delay: number
  readonly pace: number
}

/** What came in and what was answered. */
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

export interface ContractOptions {
  /** Who answers, unless the request names one. */
  readonly provider?: string
  readonly script?: readonly Step[]
  /** The default agent calls all declared tools in one round instead of one a round. */
  readonly parallelCalls?: boolean
  /** Tokens (bytes / 4) above which a request is rejected in the provider's words. */
  readonly tokenLimit?: number
  /** Bytes above which a request is answered with 413. */
  readonly byteLimit?: number
  /** Faults that strike now and then: the same seed strikes the same requests. */
  readonly chance?: { readonly seed: number; readonly faults: Readonly<Partial<Record<Fault, number>>> }
  /** How many requests `requests` keeps; the oldest go first. Default: 1,000. */
  readonly keep?: number
}

/** What the server and the `fetch` have in common. */
export interface Contract {
  readonly requests: readonly RequestRecord[]
  /** Adds steps: each accepted request takes one, and past the last one the default agent answers. */
  script(...steps: readonly Step[]): void
}
