/** From bytes to a session file: which format it is, and reading it. */
import { SutureError } from '../core/index.ts'
import { checkOptions, checkValue, given, knownNames } from '../core/options.ts'
import { checkHost, checkInput } from './arguments.ts'
import { formats } from './formats.ts'
import { type SalvageItem, SalvageStream } from './salvage/index.ts'
import { fromUtf16 } from './salvage/utf16.ts'
import type { FileInput, FileLocation, HostEnvironment, SessionFile, SessionFormat } from './types.ts'
import { unsupportedIn } from './unsupported.ts'

/** The session-file format with this id. Throws for an unknown id. */
export function formatById(id: string): SessionFormat {
  checkValue('The id of a session-file format', id, 'string')
  const found = formats.find((format) => format.id === id)
  if (found) return found
  const ids = formats.map((format) => format.id)
  throw new SutureError('bad-option', `Unknown session-file format ${given(id)}.${knownNames(id, ids)}`)
}

export function formatOf(file: SessionFile): SessionFormat {
  return formatById(file.format)
}

/** How much of a file is looked at. */
const HEAD_BYTES = 256 * 1024
const HEAD_RECORDS = 20
const STEP = 8 * 1024

/** The formats that this file may be in, best first, each with a number from 0 (not listed) to 1. */
export function recognize(input: FileInput): readonly { readonly format: SessionFormat; readonly score: number }[] {
  checkInput(input)
  const head = headOf(input.bytes)
  return unsupportedIn(input, head) === undefined ? scored(input, head) : []
}

function scored(input: FileInput, head: readonly unknown[]): ReturnType<typeof recognize> {
  return formats
    .map((format) => ({ format, score: format.recognize(input, head) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}

function headOf(bytes: Uint8Array): readonly unknown[] {
  // The first record may be longer: a pasted file.
  const first = bytes.subarray(0, Math.max(HEAD_BYTES, bytes.indexOf(0x0a) + 1))
  const text = fromUtf16(first)?.bytes ?? first
  const stream = new SalvageStream()
  const head: unknown[] = []
  const take = (items: readonly SalvageItem[]) => {
    for (const item of items) if (item.kind === 'record') head.push(item.value)
  }
  for (let at = 0; at < text.length && head.length < HEAD_RECORDS; at += STEP)
    take(stream.push(text.subarray(at, at + STEP)))
  if (head.length < HEAD_RECORDS) take(stream.end())
  return head.slice(0, HEAD_RECORDS)
}

export interface FormatChoice {
  /** The id of the format. Default: recognized by content. */
  readonly format?: string | undefined
  /** Formats of the agents in whose folder the file is: a file there is in no other format. */
  readonly homes?: readonly string[] | undefined
}

/** The format that reads a file, or why none does. */
export function formatFor(input: FileInput, choice: FormatChoice = {}): SessionFormat | string {
  checkInput(input)
  checkOptions<FormatChoice>('formatFor', choice, { format: 'string', homes: 'strings' })
  const { format, homes = [] } = choice
  if (format !== undefined) return formatById(format)
  if (input.bytes.length === 0 && input.tables === undefined) return 'The file is empty.'
  const head = headOf(input.bytes)
  const unsupported = unsupportedIn(input, head)
  if (unsupported !== undefined) return `The file holds ${unsupported}, which this version does not read.`
  const found = scored(input, head).map((one) => one.format)
  const own = homes.length === 0 ? found[0] : found.find(({ id }) => homes.includes(id))
  if (own) return own
  const titles = homes.map((id) => formatById(id).title).join(' or ')
  if (titles !== '') return `The file is in a folder of ${titles}, and nothing in it is in that format.`
  const tables = input.otherTables?.length ? ` It has the tables ${input.otherTables.join(', ')}.` : ''
  return `No history was found: neither a session file nor a history in a known format.${tables} If it is one, name its format (\`--as\`).`
}

/** Reads a file. Throws `bad-option` if its format is not recognized, and never otherwise. */
export function openSessionFile(input: FileInput, options: { readonly format?: string | undefined } = {}): SessionFile {
  checkOptions<{ format?: string }>('openSessionFile', options, { format: 'string' })
  const format = formatFor(input, options)
  if (typeof format !== 'string') return format.read(input)
  throw new SutureError('bad-option', `${input.path ?? 'This file'} is not understood. ${format}`)
}

/** Where the session files of every format are on this machine. */
export function locate(host: HostEnvironment): readonly (FileLocation & { readonly format: string })[] {
  checkHost(host)
  return formats.flatMap((format) => format.locate(host).map((place) => ({ ...place, format: format.id })))
}
