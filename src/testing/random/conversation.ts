/** Valid conversations, independent of a dialect: turns of rounds, with parallel calls, reasoning and media. */
import type { Features, Message, Piece } from '../shapes/pieces.ts'
import type { Tape } from '../shapes/tape.ts'

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

export function validConversation(tape: Tape, features: Features): Message[] {
  const messages: Message[] = []
  let calls = 0
  if (features.system && tape.chance(30)) messages.push({ role: 'system', pieces: [text(tape)] })
  const turns = 1 + tape.upTo(4)
  for (let turn = 0; turn < turns; turn++) {
    prompt(messages, tape, features)
    const rounds = tape.upTo(4)
    for (let round = 0; round < rounds; round++) calls = addRound(messages, calls, tape, features)
    if (turn + 1 < turns) messages.push({ role: 'assistant', pieces: [...thought(tape, features), text(tape)] })
  }
  return messages
}

function prompt(messages: Message[], tape: Tape, features: Features): void {
  const pieces: Piece[] = [text(tape)]
  if (tape.chance(15)) pieces.push({ kind: 'image' })
  const last = messages.at(-1)
  if (last?.role === 'tool' && features.promptBesideResults) last.pieces.push(...pieces)
  else messages.push({ role: 'user', pieces })
}

/** An assistant's answer with one to four calls and their results, mostly in order. */
function addRound(messages: Message[], from: number, tape: Tape, features: Features): number {
  const pieces = thought(tape, features)
  if (features.textBesideCalls && tape.chance(40)) pieces.push(text(tape))
  if (features.server && tape.chance(15)) pieces.push(...served(from, tape))
  const width = 1 + tape.upTo(4)
  const anonymous = features.noIds && tape.chance(40)
  const results: Piece[] = []
  for (let i = 0; i < width; i++) {
    const id = anonymous ? undefined : idAt(from + i)
    const name = tape.pick(NAMES)
    const sign = features.signedCalls && i === 0 ? `${features.sign}${from}` : undefined
    pieces.push({ kind: 'call', id, name, args: tape.pick(ARGUMENTS), server: false, sign })
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
  messages.push({ role: 'assistant', pieces }, { role: 'tool', pieces: results })
  return from + width
}

function served(from: number, tape: Tape): Piece[] {
  const id = `srvtoolu_${from}`
  return [
    { kind: 'call', id, name: 'web_search', args: tape.pick(ARGUMENTS), server: true, sign: undefined },
    { kind: 'result', id, name: 'web_search', text: tape.pick(TEXTS), failed: false, media: false, server: true },
  ]
}

function thought(tape: Tape, features: Features): Piece[] {
  return features.think && tape.chance(25) ? [{ kind: 'think', text: tape.pick(TEXTS), sign: features.sign }] : []
}

function text(tape: Tape): Piece {
  return { kind: 'text', text: tape.pick(TEXTS) }
}

/** Nine letters and digits: accepted by every provider. */
function idAt(number: number): string {
  return `call${String(number).padStart(5, '0')}`
}
