/** Converts notation into native messages, in the usual form of each dialect. */
import { SutureError } from '../../core/index.ts'
import { checkValue } from '../../core/options.ts'
import { type DialectId, shapeOf, writeHistory } from '../shapes/index.ts'
import type { Message, Piece } from '../shapes/pieces.ts'
import { parseLines } from './grammar.ts'

interface Expressible {
  /** The kinds of pieces that each role can have; `empty`: a message without content. */
  readonly kinds: Readonly<Partial<Record<Message['role'], readonly string[]>>>
  /** The order of pieces, if the format has a key for each kind. */
  readonly ranks?: Readonly<Record<string, number>>
}

const USER = ['text', 'image', 'empty']
const USER_BLOCKS = [...USER, 'result']
const RESULT_BLOCKS = ['result', 'text', 'image']
const THOUGHTS = ['think', 'think!']
const SYSTEM = ['text', 'empty']

const table: Readonly<Record<DialectId, Expressible>> = {
  'openai-chat': {
    kinds: { system: SYSTEM, user: USER, assistant: ['think', 'text', 'call', 'empty'], tool: ['result'] },
    ranks: { think: 0, text: 1, call: 2 },
  },
  'openai-responses': {
    kinds: { system: SYSTEM, user: USER, assistant: [...THOUGHTS, 'text', 'call', 'empty'], tool: ['result'] },
  },
  'anthropic-messages': {
    kinds: {
      system: SYSTEM,
      user: USER_BLOCKS,
      assistant: [...THOUGHTS, 'text', 'call', 'server', 'served', 'empty'],
      tool: RESULT_BLOCKS,
    },
  },
  gemini: {
    kinds: { user: USER_BLOCKS, assistant: [...THOUGHTS, 'call', 'call!', ...USER], tool: RESULT_BLOCKS },
  },
  'bedrock-converse': {
    kinds: { user: USER_BLOCKS, assistant: [...THOUGHTS, 'call', ...USER], tool: RESULT_BLOCKS },
  },
  'ai-sdk': {
    kinds: {
      system: SYSTEM,
      user: USER,
      assistant: [...THOUGHTS, 'call', 'server', 'served', ...USER],
      tool: ['result', 'empty'],
    },
  },
  // A result has no line of its own there, so only calls without one can be written.
  'ai-sdk-ui': { kinds: { system: SYSTEM, user: USER, assistant: [...THOUGHTS, 'call', ...USER] } },
  langchain: {
    kinds: { system: SYSTEM, user: USER, assistant: [...THOUGHTS, 'text', 'call', 'empty'], tool: ['result'] },
    ranks: { call: 2 },
  },
}

/** Native messages of a dialect. Throws `unknown-notation` for a line that it cannot parse or express. */
export function parseHistory(text: string, dialectId: string): unknown[] {
  checkValue('A history in notation', text, 'string')
  checkValue('The id of a dialect', dialectId, 'string')
  const messages = parseLines(text)
  for (const message of messages) if (!canExpress(message, dialectId)) throw inexpressible(message, dialectId)
  return writeHistory(messages.map(withNames()), dialectId)
}

/** Whether a dialect can express every line. */
export function expressible(text: string, dialectId: string): boolean {
  return parseLines(text).every((line) => canExpress(line, dialectId))
}

/** Fills in the names of results: those of the tools that the last calls with their ids called. */
function withNames(): (message: Message) => Message {
  const names = new Map<unknown, string>()
  const nameOf = ({ id, server }: Extract<Piece, { kind: 'result' }>) =>
    names.get(id ?? '') ?? (server ? 'web_search' : 'unknown_tool')
  return ({ role, pieces }) => {
    for (const piece of pieces) if (piece.kind === 'call') names.set(piece.id ?? '', String(piece.name ?? ''))
    return {
      role,
      pieces: pieces.map((piece) => (piece.kind === 'result' ? { ...piece, name: nameOf(piece) } : piece)),
    }
  }
}

function canExpress({ role, pieces }: Message, dialectId: string): boolean {
  shapeOf(dialectId)
  const { kinds, ranks } = table[dialectId as DialectId]
  const legal = kinds[role]
  if (legal === undefined) return false
  if (pieces.length === 0) return legal.includes('empty')
  return pieces.every((piece) => legal.includes(kindOf(piece))) && (!ranks || isOrdered(pieces, ranks))
}

function kindOf(piece: Piece): string {
  if (piece.kind === 'call' && piece.server) return 'server'
  if (piece.kind === 'result' && piece.server) return 'served'
  return 'sign' in piece && piece.sign !== undefined ? `${piece.kind}!` : piece.kind
}

/** If reasoning, text and calls have a key each, no other order is possible; rank 0 is a key for one piece alone. */
function isOrdered(pieces: readonly Piece[], ranks: Readonly<Record<string, number>>): boolean {
  const of = pieces.map(({ kind }) => ranks[kind] ?? 1)
  return of.every((rank, i) => i === 0 || rank > of[i - 1]! || (rank === of[i - 1] && rank > 0))
}

function inexpressible(line: Message, dialectId: string): SutureError {
  const kinds = line.pieces.map(({ kind }) => kind).join(' | ') || 'empty'
  return new SutureError('unknown-notation', `${dialectId} has no shape for the line "${line.role}: ${kinds}".`, {
    line,
  })
}
