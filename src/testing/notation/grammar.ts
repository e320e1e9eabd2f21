/**
 * The history notation: one line per message, pieces separated by ` | `. Parses words and escapes; knows no wire
 * format.
 */
import { SutureError } from '../../core/index.ts'
import type { Message, Piece } from '../shapes/pieces.ts'

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

export function parseLines(text: string): readonly Message[] {
  const lines: Message[] = []
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    if (line !== '') lines.push(parseLine(line, lines.length + 1))
  }
  return lines
}

function parseLine(line: string, number: number): Message {
  const colon = line.indexOf(':')
  const role = line.slice(0, colon)
  if (!ROLES.includes(role)) throw unreadable(line, number, `a line begins with ${ROLES.join(':, ')}:`)
  const rest = line.slice(colon + 1).trim()
  const pieces =
    rest === 'empty' ? [] : rest.split(/(?<!\S)\|(?!\S)/).map((piece) => parsePiece(piece.trim(), line, number))
  return { role: role as Message['role'], pieces }
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
      return { kind: 'think', text: plain(rest), sign: word === 'think!' ? sign(plain(rest)) : undefined }
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
  const flags = { failed: word === 'failed', media: false, server: word === 'served' }
  return { kind: 'result', id: wordOf(id), name: undefined, text: plain(body), ...flags }
}

function parseCall(word: 'call' | 'call!' | 'server', rest: string, line: string, number: number): Piece {
  const [id, after] = cut(rest)
  const [name, args] = cut(after)
  if (id === '' || name === '') throw unreadable(line, number, `the form is "${forms[word]}"`)
  const signature = word === 'call!' ? sign(args || '{}') : undefined
  const call = { id: wordOf(id), name: wordOf(name), args: args || '{}' }
  return { kind: 'call', ...call, server: word === 'server', sign: signature }
}

function cut(text: string): readonly [string, string] {
  const space = text.indexOf(' ')
  return space < 0 ? [text, ''] : [text.slice(0, space), text.slice(space + 1).trim()]
}

/** An id or a name: `-` in the notation means none, `""` means empty. */
function wordOf(word: string): string | undefined {
  return word === '-' ? undefined : word === '""' ? '' : plain(word)
}

/** A made-up signature: derived from what it signs, so that a test can see one that was moved. Looks like base64. */
function sign(text: string): string {
  return 'gAAA' + Array.from(text, (letter) => letter.charCodeAt(0).toString(36)).join('')
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
