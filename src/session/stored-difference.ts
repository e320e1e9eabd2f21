/**
 * A message or settings that are another version of earlier ones are stored as the difference of their JSON texts, if
 * that is short. The text that they differ from is always stored whole, so one more record is read at most.
 */
import { isObject, jsonText, parseJson } from '../core/index.ts'
import { encodeMessage, rawTextIn } from './raw-message.ts'
import { decode, type MessageBody } from './record.ts'
import type { Entry } from './store.ts'
import { piecesOf, type TextPiece, textFrom } from './text-pieces.ts'

export interface Difference {
  /** The position of the record that has the other text. */
  readonly of: number
  readonly edit: readonly TextPiece[]
}

/** A text that is stored whole. */
export interface WholeText {
  readonly seq: number
  readonly text: string
}

type ReadOne = (seq: number) => Promise<Entry | undefined>

/** A difference is not worth another record to read for a text this short. */
const SHORT = 200

/** Undefined if the text is better stored whole. */
export function differenceTo(base: WholeText | undefined, text: string): Difference | undefined {
  if (!base || text.length < SHORT) return undefined
  const edit = piecesOf(text, base.text)
  const length = edit.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 12), 0)
  return length * 2 < text.length ? { of: base.seq, edit } : undefined
}

/** The whole text that a later version of this message can differ from. */
export async function wholeText(seq: number, read: ReadOne): Promise<WholeText | undefined> {
  const body = (await read(seq))?.body
  const parsed = body === undefined ? undefined : decode(body)
  if (typeof parsed?.['of'] === 'number') return wholeText(parsed['of'], read)
  const text = parsed && Object.hasOwn(parsed, 'message') ? textOf(body!, parsed) : undefined
  return text === undefined ? undefined : { seq, text }
}

function textOf(body: string, parsed: Readonly<Record<string, unknown>>): string | undefined {
  return rawTextIn(body, parsed['asSent']) ?? jsonText(parsed['message'])
}

const BEGIN = '{"of":'

/** The body of a message that is stored as a difference. */
export function encodeDifference(body: MessageBody, difference: Difference): string {
  const { message: _message, ...rest } = body
  return jsonText({ ...difference, ...rest })!
}

/** The entries with whole messages. What a difference needs that is not there stays unreadable. */
export async function withWholeMessages(entries: readonly Entry[], read: ReadOne): Promise<readonly Entry[]> {
  if (!entries.some(({ body }) => body.startsWith(BEGIN))) return entries
  const known = new Map(entries.map((entry) => [entry.seq, entry]))
  const found = async (seq: number) => {
    const entry = known.get(seq) ?? (await read(seq))
    if (entry) known.set(seq, entry)
    return entry
  }
  return Promise.all(entries.map(async (entry) => ({ ...entry, body: await wholeBody(entry.body, found) })))
}

async function wholeBody(body: string, read: ReadOne): Promise<string> {
  const parsed = body.startsWith(BEGIN) ? decode(body) : undefined
  if (!parsed || !isEdit(parsed['edit'])) return body
  const { of, edit, ...rest } = parsed
  const base = await wholeText(of as number, read)
  try {
    const text = textFrom(edit, base!.text)
    return encodeMessage({ ...rest, message: parseJson(text) }, text)
  } catch {
    return body
  }
}

/** Settings of a turn as JSON text, and the mark that has them whole. */
export interface StoredSettings {
  readonly text: string
  readonly whole: WholeText
}

/** The settings in the mark at this position. */
export async function settingsAt(seq: number, read: ReadOne): Promise<StoredSettings | undefined> {
  const settings = decode((await read(seq))?.body ?? '')?.['settings']
  if (!isObject(settings)) return undefined
  if (!isEdit(settings['edit'])) {
    const text = jsonText(settings['value'])
    return text === undefined ? undefined : { text, whole: { seq, text } }
  }
  const whole = (await settingsAt(settings['of'] as number, read))?.whole
  return whole && { text: textFrom(settings['edit'], whole.text), whole }
}

function isEdit(value: unknown): value is readonly TextPiece[] {
  const isPlace = (piece: unknown) => Array.isArray(piece) && piece.every((place) => typeof place === 'number')
  return Array.isArray(value) && value.every((piece) => typeof piece === 'string' || isPlace(piece))
}
