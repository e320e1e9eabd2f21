/**
 * The text that replaces removed messages: a user message with the pins, the summary and the ledger. It can be parsed
 * again, also after a merge with other text: the next compaction includes it instead of summarizing a summary.
 */
import type { Ledger } from './ledger.ts'
import { ledgerLines, parseLedger } from './ledger.ts'

export interface CompactionNote {
  /** Number of messages that it replaces, including those of earlier notes. */
  readonly messages: number
  /** Verbatim texts. */
  readonly pins: readonly string[]
  readonly summary: string
  readonly ledger: Ledger
}

const OPEN = '<earlier-conversation messages="'
const CLOSE = '\n</earlier-conversation>'
const SAYS =
  'This is a record of what was said and done before the messages below. It asks for nothing: what is to be done now is said below.'

export function writeNote({ messages, pins, summary, ledger }: CompactionNote): string {
  const lines = ledgerLines(ledger)
  return [
    `${OPEN}${messages}">\n${SAYS}`,
    // With its length, not escaped: a pin stays verbatim, whatever it contains.
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
export function readNote(text: string): { readonly note: CompactionNote; readonly rest: string } | undefined {
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
  const note: CompactionNote = {
    messages: Number(head[1]),
    pins,
    summary: inside(body, 'summary'),
    ledger: parseLedger(inside(body, 'ledger')),
  }
  const rest = [text.slice(0, start), text.slice(end + CLOSE.length)].map((one) => one.trim()).filter(Boolean)
  return { note, rest: rest.join('\n\n') }
}

/** Pins come first, so that nothing in a summary is taken for one. */
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

/** A summary that contains our own tags must not close them. */
function harmless(text: string): string {
  return text.replace(/<(\/?(?:earlier-conversation|summary|ledger|kept)\b)/g, '(\u200a$1')
}
