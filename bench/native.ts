/**
 * Turns of a conversation as native messages of a dialect, with ids, in the form that its clients send.
 */
import { readMessage } from '../src/core/index.ts'
import { dialects } from '../src/dialects/index.ts'
import { type DialectId, shapeOf, writeVariant } from '../src/testing/shapes/index.ts'
import type { Message, Piece } from '../src/testing/shapes/pieces.ts'
import { Tape } from '../src/testing/shapes/tape.ts'
import type { Answer, Call, Round, Style, Turn } from './conversation.ts'

export type { DialectId }

type Native = Readonly<Record<string, unknown>>

/** Stored LangChain messages have a type and data; all others the usual form. */
const FORMS: Readonly<Partial<Record<DialectId, number>>> = { langchain: 2 }
const ITEM_IDS: Readonly<Record<string, string>> = { reasoning: 'rs', message: 'msg', function_call: 'fc' }

/** The system message of about a kilobyte, where the list has one. */
export function opening({ system }: Style, dialect: DialectId, scale = 1): unknown[] {
  if (!system || !shapeOf(dialect).features.system) return []
  const text = 'You are a careful agent. Use the tools, and say what you have done. '
    .repeat(Math.ceil(16 * scale))
    .trim()
  return write([{ role: 'system', pieces: [{ kind: 'text', text }] }], dialect)
}

/** `start`: the index of its first message in the history, for ids. */
export function writeTurn(
  { prompt, rounds, answer }: Turn,
  style: Style,
  dialect: DialectId,
  start: number,
): unknown[] {
  const messages: Message[] = [{ role: 'user', pieces: [{ kind: 'text', text: prompt }] }]
  for (const round of rounds)
    messages.push(
      { role: 'assistant', pieces: [...answerPieces(round, dialect), ...callPieces(round)] },
      { role: 'tool', pieces: round.calls.map(resultPiece) },
    )
  if (answer) messages.push({ role: 'assistant', pieces: answerPieces(answer, dialect) })
  return write(messages, dialect).map((message, i) => withId(message as Native, style, start + i))
}

function write(messages: readonly Message[], dialect: DialectId): unknown[] {
  return writeVariant(messages, shapeOf(dialect), new Tape([]), false, FORMS[dialect] ?? 0)
}

/** Gemini returns signatures without the thoughts. */
function answerPieces({ thinking, text }: Answer, dialect: DialectId): Piece[] {
  const pieces: Piece[] = text ? [{ kind: 'text', text }] : []
  if (!thinking || dialect === 'gemini') return pieces
  const sign = dialect === 'openai-responses' ? `gAAAAAB${thinking.signature}` : thinking.signature
  return [{ kind: 'think', text: thinking.text, sign }, ...pieces]
}

/** The first call carries the signature, for formats that sign calls. */
function callPieces({ thinking, signature, calls }: Round): Piece[] {
  return calls.map(({ id, name, args }, i) => {
    const sign = thinking && i === 0 ? signature : undefined
    return { kind: 'call', id, name, args: JSON.stringify(args), server: false, sign }
  })
}

function resultPiece({ id, name, result, failed }: Call): Piece {
  return { kind: 'result', id, name, text: result, failed, media: false, server: false }
}

function withId(message: Native, { itemIds }: Style, index: number): Native {
  const number = String(index).padStart(40, '0')
  if ('id' in message) return { ...message, id: `msg-${number}` }
  const prefix = itemIds && message['role'] !== 'user' ? ITEM_IDS[String(message['type'])] : undefined
  return prefix === undefined ? message : { id: `${prefix}_${number}`, ...message }
}

/** Whether a message has nothing but results of calls. */
export function isResults(message: unknown, dialectId: string): boolean {
  const { parts } = readMessage(message, dialects.find(({ id }) => id === dialectId)!)
  return parts.length > 0 && parts.every(({ kind }) => kind === 'result')
}

/** A UI message before its results came; any other message itself. */
export function unanswered(message: unknown): unknown {
  const { parts, ...rest } = message as { parts?: readonly Native[] }
  return parts?.some(isDone) ? { ...rest, parts: parts.map((part) => (isDone(part) ? undone(part) : part)) } : message
}

function isDone({ state }: Native): boolean {
  return state === 'output-available' || state === 'output-error'
}

function undone({ output: _output, errorText: _error, ...call }: Native): Native {
  return { ...call, state: 'input-available' }
}
