/**
 * Damages a valid conversation with a few seeded faults, before it is written in any dialect.
 */
import { causes, causeText } from '../../core/index.ts'
import type { Bit, Id, TalkEntry } from './conversation.ts'
import type { Tape } from './tape.ts'

type Fault = (talk: TalkEntry[], tape: Tape) => void

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
  (talk, tape) => dropBit(talk, 'result', tape),
  (talk, tape) => dropBit(talk, 'call', tape),
  (talk, tape) => dropMessage(talk, tape),
  (talk, tape) => copyBit(talk, 'result', tape),
  (talk, tape) => copyBit(talk, 'call', tape),
  (talk, tape) => moveBit(talk, 'result', tape),
  (talk, tape) => moveBit(talk, 'call', tape),
  (talk, tape) => swapMessages(talk, tape),
  (talk, tape) => void talk.splice(0, 1 + tape.upTo(3)),
  (talk, tape) => void talk.splice(talk.length - 1 - tape.upTo(3)),
  (talk, tape) => insert(talk, tape, { role: 'user', bits: [{ kind: 'text', text: 'wait' }] }),
  (talk, tape) => insert(talk, tape, { role: 'assistant', bits: [{ kind: 'text', text: 'so' }] }),
  (talk, tape) => insert(talk, tape, { role: tape.pick(['user', 'assistant', 'tool', 'system'] as const), bits: [] }),
  (talk, tape) => insert(talk, tape, { role: 'system', bits: [{ kind: 'text', text: 'mind' }] }),
  reuseId,
  sameIdTwice,
  (talk, tape) => change(talk, ['call', 'result'], tape, (bit) => Object.assign(bit, { id: tape.pick(IDS) })),
  oddIdOnBoth,
  (talk, tape) => change(talk, ['call'], tape, (bit) => Object.assign(bit, { name: tape.pick(NAMES) })),
  (talk, tape) => change(talk, ['call'], tape, (bit) => Object.assign(bit, { args: tape.pick(ARGUMENTS) })),
  (talk, tape) =>
    change(talk, ['text', 'result', 'think'], tape, (bit) => Object.assign(bit, { text: tape.pick(TEXTS) })),
  (talk, tape) => addBit(talk, tape, { kind: 'text', text: tape.pick(TEXTS) }),
  (talk, tape) => addBit(talk, tape, { kind: 'unknown', value: structuredClone(tape.pick(KINDS)) }),
  (talk, tape) => addBit(talk, tape, { kind: 'think', text: 'foreign', sign: tape.pick([undefined, '']) }),
  (talk, tape) => addBit(talk, tape, { kind: 'image' }),
  (talk, tape) => change(talk, ['call', 'think'], tape, (bit) => Object.assign(bit, { sign: undefined })),
  (talk, tape) => change(talk, ['result'], tape, (bit) => Object.assign(bit, { failed: true, text: '' })),
  splitMessage,
  joinMessages,
  (talk, tape) => {
    at(talk, tape).role = tape.pick(['user', 'assistant', 'tool', 'system'] as const)
  },
]

/** One to four faults: most real histories are broken in one place, some in several. */
export function damage(talk: TalkEntry[], tape: Tape): TalkEntry[] {
  const times = 1 + tape.upTo(4)
  for (let i = 0; i < times && talk.length > 0; i++) tape.pick(faults)(talk, tape)
  return talk
}

function at(talk: readonly TalkEntry[], tape: Tape): TalkEntry {
  return talk[tape.upTo(talk.length)]!
}

/** A bit of one of these kinds, with its message. */
function find(
  talk: readonly TalkEntry[],
  kinds: readonly string[],
  tape: Tape,
): readonly [TalkEntry, number] | undefined {
  const places: [TalkEntry, number][] = []
  for (const entry of talk) {
    for (const [i, bit] of entry.bits.entries()) if (kinds.includes(bit.kind)) places.push([entry, i])
  }
  return places.length === 0 ? undefined : tape.pick(places)
}

function dropBit(talk: TalkEntry[], kind: string, tape: Tape): void {
  const found = find(talk, [kind], tape)
  found?.[0].bits.splice(found[1], 1)
}

function dropMessage(talk: TalkEntry[], tape: Tape): void {
  talk.splice(tape.upTo(talk.length), 1)
}

/** A copy: next to the original, in a message of its own after it, or at the end. */
function copyBit(talk: TalkEntry[], kind: string, tape: Tape): void {
  const found = find(talk, [kind], tape)
  if (!found) return
  const [entry, index] = found
  const copy = { ...entry.bits[index]! } as Bit
  if (copy.kind === 'result' && tape.chance(50)) copy.text = tape.pick(['another', 'No result provided', ''])
  const where = tape.upTo(3)
  if (where === 0) entry.bits.splice(index, 0, copy)
  else if (where === 1) talk.splice(talk.indexOf(entry) + 1, 0, { role: entry.role, bits: [copy] })
  else talk.push({ role: entry.role, bits: [copy] })
}

function moveBit(talk: TalkEntry[], kind: string, tape: Tape): void {
  const found = find(talk, [kind], tape)
  if (!found) return
  const [bit] = found[0].bits.splice(found[1], 1)
  if (tape.chance(50)) talk.splice(tape.upTo(talk.length + 1), 0, { role: found[0].role, bits: [bit!] })
  else {
    const { bits } = at(talk, tape)
    bits.splice(tape.upTo(bits.length + 1), 0, bit!)
  }
}

function swapMessages(talk: TalkEntry[], tape: Tape): void {
  const [first, second] = [tape.upTo(talk.length), tape.upTo(talk.length)]
  ;[talk[first], talk[second]] = [talk[second]!, talk[first]!]
}

function insert(talk: TalkEntry[], tape: Tape, entry: TalkEntry): void {
  talk.splice(tape.upTo(talk.length + 1), 0, entry)
}

function addBit(talk: TalkEntry[], tape: Tape, bit: Bit): void {
  const { bits } = at(talk, tape)
  bits.splice(tape.upTo(bits.length + 1), 0, bit)
}

function change(talk: TalkEntry[], kinds: readonly string[], tape: Tape, how: (bit: Bit) => unknown): void {
  const found = find(talk, kinds, tape)
  if (found) how(found[0].bits[found[1]]!)
}

/** Later rounds take the ids of earlier ones, calls and results together, as backends that number their calls do. */
function reuseId(talk: TalkEntry[], tape: Tape): void {
  const width = 1 + tape.upTo(3)
  const counts = new Map<string, number>()
  for (const { bits } of talk) {
    for (const bit of bits) {
      if ((bit.kind !== 'call' && bit.kind !== 'result') || bit.server) continue
      const count = counts.get(bit.kind) ?? 0
      counts.set(bit.kind, count + 1)
      bit.id = `again${count % width}`
    }
  }
}

function sameIdTwice(talk: TalkEntry[], tape: Tape): void {
  const found = find(talk, ['call'], tape)
  if (!found) return
  const [entry, index] = found
  const { id } = entry.bits[index] as Extract<Bit, { kind: 'call' }>
  for (const bit of entry.bits) if (bit.kind === 'call') bit.id = id
  const answers = talk[talk.indexOf(entry) + 1]
  if (tape.chance(50)) for (const bit of answers?.bits ?? []) if (bit.kind === 'result') bit.id = id
}

function oddIdOnBoth(talk: TalkEntry[], tape: Tape): void {
  const found = find(talk, ['call'], tape)
  if (!found) return
  const { id } = found[0].bits[found[1]] as Extract<Bit, { kind: 'call' }>
  const odd = tape.pick(IDS)
  for (const { bits } of talk) {
    for (const bit of bits) if ((bit.kind === 'call' || bit.kind === 'result') && bit.id === id) bit.id = odd
  }
}

function splitMessage(talk: TalkEntry[], tape: Tape): void {
  const index = tape.upTo(talk.length)
  const entry = talk[index]!
  const rest = entry.bits.splice(tape.upTo(entry.bits.length + 1))
  talk.splice(index + 1, 0, { role: entry.role, bits: rest })
}

function joinMessages(talk: TalkEntry[], tape: Tape): void {
  const index = tape.upTo(talk.length)
  const [next] = talk.splice(index + 1, 1)
  if (next) talk[index]!.bits.push(...next.bits)
}
