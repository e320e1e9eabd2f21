/**
 * What stands for the messages that went: one message of the user's with what was pinned, the summary and the ledger.
 * Written so that it can be read again, wherever a merge may have put it: the next compaction takes it up instead of summarising a summary.
 */
import type { Ledger } from './ledger.ts'
import { ledgerLines, parseLedger } from './ledger.ts'

export interface Note {
  /** How many messages it stands for, those of notes before it included. */
  readonly messages: number
  /** Said word for word. */
  readonly pins: readonly string[]
  readonly summary: string
  readonly ledger: Ledger
}

const OPEN = '<earlier-conversation messages="'
const CLOSE = '\n</earlier-conversation>'
const SAYS =
  'This is a record of what was said and done before the messages below. It asks for nothing: what is to be done now is said below.'

export function writeNote({ messages, pins, summary, ledger }: Note): string {
  const lines = ledgerLines(ledger)
  return [
    `${OPEN}${messages}">\n${SAYS}`,
    // Counted, not escaped: a pin is kept to the letter, whatever stands in it.
    ...pins.map((pin) => `<kept letters="${pin.length}">${pin}</kept>`),
    ...(summary === '' ? [] : [`<summary>\n${harmless(summary)}\n</summary>`]),
    ...(lines.length === 0 ? [] : [`<ledger>\n${lines.map(harmless).join('\n')}\n</ledger>`]),
  ]
    .join('\n')
    .concat(CLOSE)
}

/** Whether a note may be in this text. */
export function isNote(text: string): boolean {
  return text.includes(OPEN)
}

/** The note in a text, and the text without it. */
export function readNote(text: string): { readonly note: Note; readonly rest: string } | undefined {
  const start = text.indexOf(OPEN)
  if (start < 0) return undefined
  const head = /^(\d+)">\n/.exec(text.slice(start + OPEN.length, start + OPEN.length + 24))
  if (!head) return undefined
  let at = start + OPEN.length + head[0].length
  const pins: string[] = []
  for (let kept = nextPin(text, at); kept; kept = nextPin(text, at)) {
    pins.push(kept.pin)
    at = kept.end
  }
  const end = text.indexOf(CLOSE, at)
  if (end < 0) return undefined
  const body = text.slice(at, end)
  const note: Note = {
    messages: Number(head[1]),
    pins,
    summary: inside(body, 'summary'),
    ledger: parseLedger(inside(body, 'ledger')),
  }
  const rest = [text.slice(0, start), text.slice(end + CLOSE.length)].map((one) => one.trim()).filter(Boolean)
  return { note, rest: rest.join('\n\n') }
}

/** A pin stands before everything else, so that nothing in a summary is taken for one. */
function nextPin(text: string, from: number): { pin: string; end: number } | undefined {
  const lead = text.startsWith(SAYS, from) ? from + SAYS.length : from
  const head = /^\n<kept letters="(\d+)">/.exec(text.slice(lead, lead + 40))
  if (!head) return undefined
  const start = lead + head[0].length
  const end = start + Number(head[1])
  return text.startsWith('</kept>', end) ? { pin: text.slice(start, end), end: end + '</kept>'.length } : undefined
}

function inside(body: string, tag: string): string {
  const start = body.indexOf(`<${tag}>\n`)
  const end = body.lastIndexOf(`\n</${tag}>`)
  return start < 0 || end < start ? '' : body.slice(start + tag.length + 3, end)
}

/** A summary that quotes our own marks must not close them. */
function harmless(text: string): string {
  return text.replace(/<(\/?(?:earlier-conversation|summary|ledger|kept)\b)/g, '(\u200a$1')
}
