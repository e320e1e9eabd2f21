import { letters } from './hash.ts'
import type {
  CallPart,
  ComposedPart,
  ComposedReply,
  IncomingRequest,
  Part,
  ReasoningPart,
  Reply,
  Stop,
  Usage,
} from './types.ts'

const CHUNK = 24

/** Fills in what a reply leaves out: ids, signatures, usage, stop reason. */
export function speak(reply: Reply, ask: IncomingRequest): ComposedReply {
  const parts = partsOf(reply).map((part, index) => saidPart(part, index, ask))
  return {
    parts: signed(parts, ask),
    stop: reply.stop ?? stopOf(parts),
    ...(reply.finish === undefined ? {} : { finish: reply.finish }),
    usage: usageOf(parts, ask, reply.usage ?? {}),
    chunk: Math.max(1, reply.chunkBytes ?? CHUNK),
  }
}

function partsOf(reply: Reply): readonly Part[] {
  if (reply.parts) return reply.parts
  const { reasoning, text, calls = [] } = reply
  const parts: Part[] = []
  if (reasoning !== undefined)
    parts.push({ kind: 'reasoning', ...(typeof reasoning === 'string' ? { text: reasoning } : reasoning) })
  if (text !== undefined) parts.push({ kind: 'text', text })
  return [...parts, ...calls.map((call): CallPart => ({ kind: 'call', ...call }))]
}

function saidPart(part: Part, index: number, ask: IncomingRequest): ComposedPart {
  switch (part.kind) {
    case 'text':
      return part
    case 'reasoning':
      return { ...part, signature: part.signature ?? signature(ask, index) }
    case 'call':
      return { ...part, id: part.id ?? callId(part.name, index, ask), json: jsonOf(part.arguments) }
  }
}

function jsonOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {})
}

// Gemini signs the first of several calls, or the last text (doc: ai.google.dev/gemini-api/docs/thought-signatures),
// from 3 on always.
function signed(parts: readonly ComposedPart[], ask: IncomingRequest): readonly ComposedPart[] {
  if (ask.endpoint !== 'gemini') return parts
  if (parts.some((part) => part.kind !== 'reasoning' && part.signature !== undefined)) return parts
  const reasoning = parts.find((part) => part.kind === 'reasoning')
  if (!reasoning && !/gemini-(?:[3-9]|\d\d)/.test(ask.model)) return parts
  const call = parts.findIndex((part) => part.kind === 'call')
  const at = call < 0 ? parts.findLastIndex((part) => part.kind === 'text') : call
  const mark = reasoning?.signature ?? signature(ask, at)
  return parts.map((part, index) => (index === at ? { ...part, signature: mark } : part))
}

function stopOf(parts: readonly ComposedPart[]): Stop {
  return parts.some((part) => part.kind === 'call') ? 'calls' : 'end'
}

function usageOf(parts: readonly ComposedPart[], ask: IncomingRequest, given: Partial<Usage>): Usage {
  const reasoning = tokens(
    parts.filter((part): part is ReasoningPart & { signature: string } => part.kind === 'reasoning'),
  )
  return { input: ask.tokens, output: Math.max(1, tokens(parts)), cached: 0, reasoning, ...given }
}

function tokens(parts: readonly ComposedPart[]): number {
  const characters = parts.reduce((sum, part) => sum + (part.kind === 'call' ? part.json : part.text).length, 0)
  return Math.ceil(characters / 4)
}

// The prefixes are those of each provider; clients check them.
function signature({ endpoint, seed }: IncomingRequest, index: number): string {
  const body = letters(`${seed} signature ${index}`, 92)
  return endpoint === 'responses' ? `gAAAAAB${body}` : endpoint === 'gemini' ? `CpAB${body}` : `EqQB${body}`
}

function callId(name: string, index: number, { endpoint, provider, seed }: IncomingRequest): string {
  const from = `${seed} ${name} ${index}`
  if (provider === 'mistral') return letters(from, 9)
  // Kimi numbers calls within one answer, so its ids repeat in the next.
  if (provider === 'moonshot') return `${name}:${index}`
  switch (endpoint) {
    case 'messages':
      return (provider === 'vertex' ? 'toolu_vrtx_01' : 'toolu_01') + letters(from, 22)
    case 'gemini':
      return ''
    case 'converse':
      return `tooluse_${letters(from, 22)}`
    default:
      return `call_${letters(from, 24)}`
  }
}
