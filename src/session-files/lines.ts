/** JSONL: one record a line, read through the salvage layer. `line-layout.ts` writes it. */

import { tryParseJson } from '../core/index.ts'
import { type Envelope, LearnedEnvelope } from './salvage/envelope.ts'
import { type Classify, type SalvagedFile, salvage } from './salvage/index.ts'
import { fromUtf16 } from './salvage/utf16.ts'
import { Attached } from './shared/attached.ts'
import type { FileInput } from './types.ts'

export interface LineOptions {
  /** A record may be a list, too. */
  readonly anyJson?: boolean
  /**
   * Whether an object in a damaged line is a record. Default: its type is known, and it has the keys of all whole
   * lines.
   */
  readonly isRecord?: Envelope | undefined
}

const decoder = new TextDecoder()
const NEWLINE = 0x0a

/** Records of a file, one a line. */
export function readLines(
  { bytes }: FileInput,
  typeOf: Classify,
  { anyJson = false, isRecord }: LineOptions = {},
): SalvagedFile {
  return salvage(bytes, typeOf, { lists: anyJson, envelope: isRecord ?? learnedEnvelope(bytes, typeOf) })
}

/** How many whole lines show what a record looks like. */
const SAMPLE = 50

function learnedEnvelope(bytes: Uint8Array, typeOf: Classify): Envelope {
  let learned: LearnedEnvelope | undefined
  return (value) => {
    if (!typeOf(value).known) return false
    learned ??= learn(utf8Of(bytes))
    return learned.fits(value)
  }
}

function learn(bytes: Uint8Array): LearnedEnvelope {
  const learned = new LearnedEnvelope()
  for (let at = 0, count = 0; at < bytes.length && count < SAMPLE; count++) {
    const newline = bytes.indexOf(NEWLINE, at)
    const end = newline < 0 ? bytes.length : newline
    learned.learn(parsed(bytes.subarray(at, end)))
    at = end + 1
  }
  return learned
}

const decoded = new Attached<Uint8Array, Uint8Array>()

/** The file in UTF-8: the same array unless it is in UTF-16. */
export function utf8Of(bytes: Uint8Array): Uint8Array {
  let text = decoded.get(bytes)
  if (!text) {
    text = fromUtf16(bytes)?.bytes ?? bytes
    decoded.set(bytes, text)
  }
  return text
}

/** The value of JSON bytes, numbers as they are spelled; undefined if they are not JSON. */
export function parsed(bytes: Uint8Array): unknown {
  return tryParseJson(decoder.decode(bytes))
}
