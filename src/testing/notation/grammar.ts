/**
 * The history notation: one line per message, pieces separated by ` | `. Parses words and escapes; knows no wire format.
 */
import { SutureError } from '../../core/index.ts'

export type LineRole = 'system' | 'user' | 'assistant' | 'tool'

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'think'; readonly text: string; readonly signed: boolean }
  | { readonly kind: 'call'; readonly id: Word; readonly name: Word; readonly args: string; readonly signed: boolean }
  | { readonly kind: 'result'; readonly id: Word; readonly text: string; readonly failed: boolean }
  | { readonly kind: 'server'; readonly id: Word; readonly name: Word; readonly args: string }
  | { readonly kind: 'served'; readonly id: Word; readonly text: string }
  | { readonly kind: 'image' }

/** An id or a name: `-` in the notation means none, `""` means empty. */
export type Word = string | undefined

export interface Line {
  readonly role: LineRole
  readonly pieces: readonly Piece[]
}

/** The words with which a piece may begin, and what follows them. */
export const forms = {
  text: 'text some words',
  blank: 'blank',
  empty: 'empty',
  think: 'think some words',
  'think!': 'think! some words',
  call: 'call id name {"arguments":1}',
  'call!': 'call! id name {"arguments":1}',
  result: 'result id some words',
  failed: 'failed id some words',
  server: 'server id name {"arguments":1}',
  served: 'served id some words',
  image: 'image',
} as const

const ROLES: readonly string[] = ['system', 'user', 'assistant', 'tool']

export function parseLines(text: string): readonly Line[] {
  const lines: Line[] = []
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (line !== '') lines.push(parseLine(line, lines.length + 1))
  }
  return lines
}

function parseLine(line: string, number: number): Line {
  const colon = line.indexOf(':')
  const role = line.slice(0, colon)
  if (!ROLES.includes(role)) throw unreadable(line, number, `a line begins with ${ROLES.join(':, ')}:`)
  const rest = line.slice(colon + 1).trim()
  const pieces =
    rest === 'empty' ? [] : rest.split(/(?<!\S)\|(?!\S)/).map((piece) => parsePiece(piece.trim(), line, number))
  return { role: role as LineRole, pieces }
}

function parsePiece(piece: string, line: string, number: number): Piece {
  const [word, rest] = cut(piece)
  switch (word) {
    case 'text':
      return { kind: 'text', text: plain(rest) }
    case 'blank':
      if (rest === '') return { kind: 'text', text: ' ' }
      return { kind: 'text', text: plain(piece) }
    case 'image':
      if (rest === '') return { kind: 'image' }
      return { kind: 'text', text: plain(piece) }
    case 'think':
    case 'think!':
      return { kind: 'think', text: plain(rest), signed: word === 'think!' }
    case 'result':
    case 'failed':
    case 'served':
      return parseAnswer(word, rest, line, number)
    case 'call':
    case 'call!':
    case 'server':
      return parseCall(word, rest, line, number)
    case '':
      throw unreadable(
        line,
        number,
        'a piece is empty; say "empty" for a message without content, "text" for an empty text',
      )
    default:
      if (piece === 'empty') throw unreadable(line, number, '"empty" must be the only piece')
      return { kind: 'text', text: plain(piece) }
  }
}

function parseAnswer(word: 'result' | 'failed' | 'served', rest: string, line: string, number: number): Piece {
  const [id, body] = cut(rest)
  if (id === '') throw unreadable(line, number, `the form is "${forms[word]}"`)
  const text = plain(body)
  if (word === 'served') return { kind: 'served', id: wordOf(id), text }
  return { kind: 'result', id: wordOf(id), text, failed: word === 'failed' }
}

function parseCall(word: 'call' | 'call!' | 'server', rest: string, line: string, number: number): Piece {
  const [id, after] = cut(rest)
  const [name, args] = cut(after)
  if (id === '' || name === '') throw unreadable(line, number, `the form is "${forms[word]}"`)
  const call = { id: wordOf(id), name: wordOf(name), args: args === '' ? '{}' : args }
  return word === 'server' ? { kind: 'server', ...call } : { kind: 'call', ...call, signed: word === 'call!' }
}

function cut(text: string): readonly [string, string] {
  const space = text.indexOf(' ')
  return space < 0 ? [text, ''] : [text.slice(0, space), text.slice(space + 1).trim()]
}

function wordOf(word: string): Word {
  return word === '-' ? undefined : word === '""' ? '' : plain(word)
}

function unreadable(line: string, number: number, why: string): SutureError {
  return new SutureError(
    'unknown-notation',
    `Line ${number} of the history, "${line}", cannot be read: ${why}. Pieces, separated by " | ": ${Object.values(forms).join(' · ')}; anything else is text.`,
    { line, number },
  )
}

const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', s: ' ', '|': '|', '\\': '\\' }
const BY_CHARACTER: ReadonlyMap<string, string> = new Map(Object.entries(NAMED).map(([name, is]) => [is, name]))

function plain(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u([0-9a-f]{4})|([ntrs|\\]))/gi, (whole, code: string | undefined, name: string) =>
    code === undefined ? (NAMED[name] ?? whole) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** Text in a form that the notation can hold: on one line, without white space at its ends. */
export function shown(text: string): string {
  return text
    .replace(/[\\\n\t\r]/g, (character) => '\\' + BY_CHARACTER.get(character))
    .replace(/(?<!\S)\|(?!\S)/g, '\\|')
    .replace(/^ +| +$/g, (spaces) => '\\s'.repeat(spaces.length))
    .replace(/\p{Cc}|\p{Cs}/gu, (character) => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0'))
}

/** Whether this text would be read as something else. */
export function isReserved(text: string): boolean {
  return text === '' || Object.hasOwn(forms, cut(text)[0])
}
