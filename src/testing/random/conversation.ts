/**
 * Valid conversations, independent of a dialect: turns of rounds, with parallel calls, reasoning, media and text next to calls.
 */
import type { Tape } from './tape.ts'

export type Id = string | null | undefined | number

export type Bit =
  | { kind: 'text'; text: unknown }
  | { kind: 'think'; text: string; sign: string | undefined }
  | { kind: 'call'; id: Id; name: Id; args: string; server: boolean; sign: string | undefined }
  | { kind: 'result'; id: Id; name: Id; text: string; failed: boolean; media: boolean; server: boolean }
  | { kind: 'image' }
  | { kind: 'unknown'; value: unknown }

export interface TalkEntry {
  role: 'system' | 'user' | 'assistant' | 'tool'
  bits: Bit[]
}

/** What a dialect can express in a history that its first provider accepts without a finding. */
export interface Manners {
  readonly system: boolean
  readonly think: boolean
  readonly server: boolean
  /** The first call of a round carries a signature. */
  readonly signedCalls: boolean
  /** Calls may have no ids. */
  readonly noIds: boolean
  /** The form of a genuine signature. */
  readonly sign: string
  /** A call may follow text in one message. */
  readonly textBesideCalls: boolean
  /** Prompts may be next to results. */
  readonly promptBesideResults: boolean
}

const TEXTS = [
  'hello',
  'What is the weather in Oslo?',
  'Done.',
  'Grüße 👍',
  'a\nb',
  '{"not":"arguments"}',
  '  indented',
] as const
const NAMES = ['weather', 'read_file', 'bash', 'search'] as const
const ARGUMENTS = ['{}', '{"city":"Oslo"}', '{"path":"a/b","lines":[1,2]}', '{"q":"x | y"}'] as const

export function validTalk(tape: Tape, manners: Manners): TalkEntry[] {
  const talk: TalkEntry[] = []
  let calls = 0
  if (manners.system && tape.chance(30)) talk.push({ role: 'system', bits: [text(tape)] })
  const turns = 1 + tape.upTo(4)
  for (let turn = 0; turn < turns; turn++) {
    prompt(talk, tape, manners)
    const rounds = tape.upTo(4)
    for (let round = 0; round < rounds; round++) calls = addRound(talk, calls, tape, manners)
    if (turn + 1 < turns) talk.push({ role: 'assistant', bits: [...thought(tape, manners), text(tape)] })
  }
  return talk
}

function prompt(talk: TalkEntry[], tape: Tape, manners: Manners): void {
  const bits: Bit[] = [text(tape)]
  if (tape.chance(15)) bits.push({ kind: 'image' })
  const last = talk.at(-1)
  if (last?.role === 'tool' && manners.promptBesideResults) last.bits.push(...bits)
  else talk.push({ role: 'user', bits })
}

/** An assistant's answer with one to four calls and their results, mostly in order. */
function addRound(talk: TalkEntry[], from: number, tape: Tape, manners: Manners): number {
  const bits = thought(tape, manners)
  if (manners.textBesideCalls && tape.chance(40)) bits.push(text(tape))
  if (manners.server && tape.chance(15)) bits.push(...served(from, tape))
  const width = 1 + tape.upTo(4)
  const anonymous = manners.noIds && tape.chance(40)
  const results: Bit[] = []
  for (let i = 0; i < width; i++) {
    const id = anonymous ? undefined : idAt(from + i)
    const name = tape.pick(NAMES)
    const sign = manners.signedCalls && i === 0 ? `${manners.sign}${from}` : undefined
    bits.push({ kind: 'call', id, name, args: tape.pick(ARGUMENTS), server: false, sign })
    results.push({
      kind: 'result',
      id,
      name,
      text: tape.pick(TEXTS),
      failed: tape.chance(10),
      media: tape.chance(5),
      server: false,
    })
  }
  talk.push({ role: 'assistant', bits }, { role: 'tool', bits: results })
  return from + width
}

function served(from: number, tape: Tape): Bit[] {
  const id = `srvtoolu_${from}`
  return [
    { kind: 'call', id, name: 'web_search', args: tape.pick(ARGUMENTS), server: true, sign: undefined },
    { kind: 'result', id, name: 'web_search', text: tape.pick(TEXTS), failed: false, media: false, server: true },
  ]
}

function thought(tape: Tape, manners: Manners): Bit[] {
  return manners.think && tape.chance(25) ? [{ kind: 'think', text: tape.pick(TEXTS), sign: manners.sign }] : []
}

function text(tape: Tape): Bit {
  return { kind: 'text', text: tape.pick(TEXTS) }
}

/** Nine letters and digits: accepted by every provider. */
function idAt(number: number): string {
  return `call${String(number).padStart(5, '0')}`
}
