/** Damages a valid conversation with a few seeded faults, before it is written in any dialect. */
import { causes, causeText } from '../../core/index.ts'
import type { Id, Message, Piece } from '../shapes/pieces.ts'
import type { Tape } from '../shapes/tape.ts'

type Fault = (messages: Message[], tape: Tape) => void

const IDS: readonly Id[] = [
  '',
  undefined,
  null,
  7,
  'functions.bash:0',
  'call_' + 'x'.repeat(70),
  'a b',
  'é',
  '__proto__',
  'constructor',
  'a',
  'toolu_01',
]
const NAMES: readonly Id[] = ['', undefined, null, '__proto__', 'my tool', 'n'.repeat(130), 'a.b', 'toString', '\ud83d']
const ARGUMENTS = [
  '',
  '{"x":',
  'null',
  '[1]',
  '"s"',
  '7',
  '{"\ud83d":1}',
  '{"__proto__":{"x":1}}',
  '{"t":"\udc00"}',
  'not json',
] as const
const TEXTS: readonly unknown[] = [
  '',
  ' ',
  '\n\n',
  '\ud83d',
  'cut \ud83d',
  '\udc00 tail ',
  null,
  undefined,
  7,
  'trailing ',
  'No result provided',
  ...causes.map(causeText),
]
const KINDS = [
  { type: 'brand_new' },
  { type: '__proto__', x: 1 },
  null,
  'loose text',
  7,
  [],
  {},
  { type: null },
  { cachePoint: { type: 'default' } },
]

const faults: readonly Fault[] = [
  (messages, tape) => dropPiece(messages, 'result', tape),
  (messages, tape) => dropPiece(messages, 'call', tape),
  (messages, tape) => dropMessage(messages, tape),
  (messages, tape) => copyPiece(messages, 'result', tape),
  (messages, tape) => copyPiece(messages, 'call', tape),
  (messages, tape) => movePiece(messages, 'result', tape),
  (messages, tape) => movePiece(messages, 'call', tape),
  (messages, tape) => swapMessages(messages, tape),
  (messages, tape) => void messages.splice(0, 1 + tape.upTo(3)),
  (messages, tape) => void messages.splice(messages.length - 1 - tape.upTo(3)),
  (messages, tape) => insert(messages, tape, { role: 'user', pieces: [{ kind: 'text', text: 'wait' }] }),
  (messages, tape) => insert(messages, tape, { role: 'assistant', pieces: [{ kind: 'text', text: 'so' }] }),
  (messages, tape) =>
    insert(messages, tape, { role: tape.pick(['user', 'assistant', 'tool', 'system'] as const), pieces: [] }),
  (messages, tape) => insert(messages, tape, { role: 'system', pieces: [{ kind: 'text', text: 'mind' }] }),
  reuseId,
  sameIdTwice,
  (messages, tape) =>
    change(messages, ['call', 'result'], tape, (piece) => Object.assign(piece, { id: tape.pick(IDS) })),
  oddIdOnBoth,
  (messages, tape) => change(messages, ['call'], tape, (piece) => Object.assign(piece, { name: tape.pick(NAMES) })),
  (messages, tape) => change(messages, ['call'], tape, (piece) => Object.assign(piece, { args: tape.pick(ARGUMENTS) })),
  (messages, tape) =>
    change(messages, ['text', 'result', 'think'], tape, (piece) => Object.assign(piece, { text: tape.pick(TEXTS) })),
  (messages, tape) => addPiece(messages, tape, { kind: 'text', text: tape.pick(TEXTS) }),
  (messages, tape) => addPiece(messages, tape, { kind: 'unknown', value: structuredClone(tape.pick(KINDS)) }),
  (messages, tape) => addPiece(messages, tape, { kind: 'think', text: 'foreign', sign: tape.pick([undefined, '']) }),
  (messages, tape) => addPiece(messages, tape, { kind: 'image' }),
  (messages, tape) => change(messages, ['call', 'think'], tape, (piece) => Object.assign(piece, { sign: undefined })),
  (messages, tape) => change(messages, ['result'], tape, (piece) => Object.assign(piece, { failed: true, text: '' })),
  splitMessage,
  joinMessages,
  (messages, tape) => {
    at(messages, tape).role = tape.pick(['user', 'assistant', 'tool', 'system'] as const)
  },
]

/** One to four faults: most real histories are broken in one place, some in several. */
export function damage(messages: Message[], tape: Tape): Message[] {
  const times = 1 + tape.upTo(4)
  for (let i = 0; i < times && messages.length > 0; i++) tape.pick(faults)(messages, tape)
  return messages
}

function at(messages: readonly Message[], tape: Tape): Message {
  return messages[tape.upTo(messages.length)]!
}

/** A piece of one of these kinds, with its message. */
function find(
  messages: readonly Message[],
  kinds: readonly string[],
  tape: Tape,
): readonly [Message, number] | undefined {
  const places: [Message, number][] = []
  for (const entry of messages) {
    for (const [i, piece] of entry.pieces.entries()) if (kinds.includes(piece.kind)) places.push([entry, i])
  }
  return places.length === 0 ? undefined : tape.pick(places)
}

function dropPiece(messages: Message[], kind: string, tape: Tape): void {
  const found = find(messages, [kind], tape)
  found?.[0].pieces.splice(found[1], 1)
}

function dropMessage(messages: Message[], tape: Tape): void {
  messages.splice(tape.upTo(messages.length), 1)
}

/** A copy: next to the original, in a message of its own after it, or at the end. */
function copyPiece(messages: Message[], kind: string, tape: Tape): void {
  const found = find(messages, [kind], tape)
  if (!found) return
  const [entry, index] = found
  const copy = { ...entry.pieces[index]! } as Piece
  if (copy.kind === 'result' && tape.chance(50)) copy.text = tape.pick(['another', 'No result provided', ''])
  const where = tape.upTo(3)
  if (where === 0) entry.pieces.splice(index, 0, copy)
  else if (where === 1) messages.splice(messages.indexOf(entry) + 1, 0, { role: entry.role, pieces: [copy] })
  else messages.push({ role: entry.role, pieces: [copy] })
}

function movePiece(messages: Message[], kind: string, tape: Tape): void {
  const found = find(messages, [kind], tape)
  if (!found) return
  const [piece] = found[0].pieces.splice(found[1], 1)
  if (tape.chance(50)) messages.splice(tape.upTo(messages.length + 1), 0, { role: found[0].role, pieces: [piece!] })
  else {
    const { pieces } = at(messages, tape)
    pieces.splice(tape.upTo(pieces.length + 1), 0, piece!)
  }
}

function swapMessages(messages: Message[], tape: Tape): void {
  const [first, second] = [tape.upTo(messages.length), tape.upTo(messages.length)]
  ;[messages[first], messages[second]] = [messages[second]!, messages[first]!]
}

function insert(messages: Message[], tape: Tape, entry: Message): void {
  messages.splice(tape.upTo(messages.length + 1), 0, entry)
}

function addPiece(messages: Message[], tape: Tape, piece: Piece): void {
  const { pieces } = at(messages, tape)
  pieces.splice(tape.upTo(pieces.length + 1), 0, piece)
}

function change(messages: Message[], kinds: readonly string[], tape: Tape, how: (piece: Piece) => unknown): void {
  const found = find(messages, kinds, tape)
  if (found) how(found[0].pieces[found[1]]!)
}

/** Later rounds take the ids of earlier ones, calls and results together, as backends that number their calls do. */
function reuseId(messages: Message[], tape: Tape): void {
  const width = 1 + tape.upTo(3)
  const counts = new Map<string, number>()
  for (const { pieces } of messages) {
    for (const piece of pieces) {
      if ((piece.kind !== 'call' && piece.kind !== 'result') || piece.server) continue
      const count = counts.get(piece.kind) ?? 0
      counts.set(piece.kind, count + 1)
      piece.id = `again${count % width}`
    }
  }
}

function sameIdTwice(messages: Message[], tape: Tape): void {
  const found = find(messages, ['call'], tape)
  if (!found) return
  const [entry, index] = found
  const { id } = entry.pieces[index] as Extract<Piece, { kind: 'call' }>
  for (const piece of entry.pieces) if (piece.kind === 'call') piece.id = id
  const answers = messages[messages.indexOf(entry) + 1]
  if (tape.chance(50)) for (const piece of answers?.pieces ?? []) if (piece.kind === 'result') piece.id = id
}

function oddIdOnBoth(messages: Message[], tape: Tape): void {
  const found = find(messages, ['call'], tape)
  if (!found) return
  const { id } = found[0].pieces[found[1]] as Extract<Piece, { kind: 'call' }>
  const odd = tape.pick(IDS)
  for (const { pieces } of messages) {
    for (const piece of pieces)
      if ((piece.kind === 'call' || piece.kind === 'result') && piece.id === id) piece.id = odd
  }
}

function splitMessage(messages: Message[], tape: Tape): void {
  const index = tape.upTo(messages.length)
  const entry = messages[index]!
  const rest = entry.pieces.splice(tape.upTo(entry.pieces.length + 1))
  messages.splice(index + 1, 0, { role: entry.role, pieces: rest })
}

function joinMessages(messages: Message[], tape: Tape): void {
  const index = tape.upTo(messages.length)
  const [next] = messages.splice(index + 1, 1)
  if (next) messages[index]!.pieces.push(...next.pieces)
}
