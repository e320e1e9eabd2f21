/**
 * Requests for the bench of the gateway: current models, each in the format of its provider, and their answers.
 */
import { loadEngine } from './engine.ts'
import { broken, longHistory, smallRequest } from './histories.ts'
import { nameOf, type Subject, subjectFor, targetOf } from './subjects.ts'

const WORDS = 'Words of an answer. '.repeat(8)

interface Endpoint {
  readonly path: (model: string) => string
  /** What a request has beside its history. */
  readonly beside: (model: string) => Readonly<Record<string, unknown>>
  readonly answer: unknown
}

const endpoints: Readonly<Record<string, Endpoint>> = {
  openai: {
    path: () => '/openai/v1/chat/completions',
    beside: (model) => ({ model }),
    answer: {
      id: 'x',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: WORDS }, finish_reason: 'stop' }],
    },
  },
  anthropic: {
    path: () => '/anthropic/v1/messages',
    beside: (model) => ({ model, max_tokens: 4096 }),
    answer: {
      id: 'msg_x',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: WORDS }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  gemini: {
    path: (model) => `/gemini/v1beta/models/${model}:generateContent`,
    beside: () => ({}),
    answer: {
      candidates: [{ content: { role: 'model', parts: [{ text: WORDS }] }, finishReason: 'STOP', index: 0 }],
    },
  },
}

export const gatewaySubjects: readonly Subject[] = [
  subjectFor('anthropic', 'anthropic-messages', 'claude-opus-4-6'),
  subjectFor('anthropic', 'anthropic-messages', 'claude-opus-5-5'),
  subjectFor('openai', 'openai-chat', 'gpt-5'),
  subjectFor('gemini', 'gemini', 'gemini-3-flash-preview'),
]

export interface Posted {
  readonly path: string
  readonly body: Uint8Array
  readonly messages: number
  /** The provider's answer, as JSON. */
  readonly answer: string
}

const engine = await loadEngine()

export interface Kind {
  /** Every tenth round is broken. */
  readonly isBroken?: boolean
  /** Without characters beyond ASCII, which about a tenth of the texts has. */
  readonly isAscii?: boolean
}

/** A valid request of about this many bytes, or a broken one. Throws if the valid one has a finding. */
export function requestFor(subject: Subject, bytes: number, { isBroken = false, isAscii = false }: Kind = {}): Posted {
  const { provider, dialect, model } = subject
  const { path, beside, answer } = endpoints[provider]!
  const isSmall = bytes < 5e3
  const valid = isSmall ? smallRequest(subject) : sized(subject, bytes)
  const history = isBroken ? broken(valid, dialect, isSmall ? 2 : 10) : valid
  const body = { ...beside(model!), [dialect === 'gemini' ? 'contents' : 'messages']: history }
  const [found] = engine.lint(body, targetOf(subject))
  if (found && !isBroken) throw new Error(`Not valid for ${nameOf(subject)}: ${found.rule}: ${found.message}`)
  if (!found && isBroken) throw new Error(`Not broken for ${nameOf(subject)}.`)
  const text = JSON.stringify(body)
  const encoded = new TextEncoder().encode(isAscii ? text.replace(/[^\0-\x7f]/g, '?') : text)
  return { path: path(model!), body: encoded, messages: history.length, answer: JSON.stringify(answer) }
}

/** Turns are long, so a history is often longer than asked for. */
function sized(subject: Subject, bytes: number): unknown[] {
  for (let aim = bytes; ; aim *= 0.9) {
    const history = longHistory(subject, aim)
    if (JSON.stringify(history).length <= bytes * 1.05) return history
  }
}
