/**
 * What must hold for every damaged file: never an error, untouched records byte for byte, everything else in
 * quarantine, nothing invented.
 */
import { openSessionFile, planRepair, recordBytes } from '../../src/session-files/index.ts'
import { textOf } from '../../src/session-files/salvage/bytes.ts'
import type { SessionFile } from '../../src/session-files/types.ts'
import type { Mutant } from './damage.ts'
import { FORMATS } from './samples.ts'

/** A sentence for each promise that was broken. */
export function brokenPromises(format: string, mutant: Mutant): readonly string[] {
  const file = openSessionFile({ bytes: mutant.bytes }, { format })
  const plan = planRepair(file, { force: true })
  // A repair of this file would empty it.
  if (file.records.length === 0)
    return plan.bytes === mutant.bytes ? [] : ['a file in which no record can be read was changed']
  // Where the list has another name now, its records may not be found: then the file is left alone.
  if (mutant.isOtherDocument && missing(file, mutant).length > 0)
    return plan.bytes === mutant.bytes ? [] : ['a document without its list of records was changed']
  const problems = [...missing(file, mutant), ...invented(file, mutant), ...unaccounted(file, mutant)]
  const after = plan.bytes === mutant.bytes ? file : openSessionFile({ bytes: plan.bytes }, { format })
  if (after.salvage.quarantined.length > 0 || after.salvage.notes.length > 0)
    problems.push('the repaired file is still damaged')
  if (after !== file && planRepair(after, { force: true }).bytes !== plan.bytes)
    problems.push('a second repair changes the file again')
  if (isChained(format) && plan.reachAfter.included < plan.reachBefore.included)
    problems.push('the model sees less after the repair')
  problems.push(...lostByRepair(file, after, plan.changes.length), ...lostTexts(file, after))
  return problems
}

/** Elsewhere every record is reached, and a repair may put two messages into one: there `lostTexts` is the measure. */
function isChained(format: string): boolean {
  return (FORMATS as readonly string[]).includes(format)
}

function missing(file: SessionFile, { untouched }: Mutant): string[] {
  const found = new Map<string, number>()
  for (const record of file.records) {
    const text = textOf(recordBytes(file, record))
    found.set(text, (found.get(text) ?? 0) + 1)
  }
  return untouched.flatMap((line) => {
    const text = textOf(line)
    const left = found.get(text) ?? 0
    found.set(text, left - 1)
    return left > 0 ? [] : [`an untouched record is missing: ${text.slice(0, 60)}`]
  })
}

/**
 * Every record that comes out was in the original. A flipped bit or a line break inside a text can give one other
 * record.
 */
function invented(file: SessionFile, { kind, original }: Mutant): string[] {
  const known = new Set(original.map(textOf))
  const others = file.records.filter((record) => !known.has(textOf(recordBytes(file, record))))
  const allowed = kind === 'bit-flip' || kind === 'raw-newline' || kind === 'broken-chain' ? 1 : 0
  return others.length > allowed ? [`${others.length} records are not in the original`] : []
}

/** Every byte that is not white space is in one record or in quarantine. */
function unaccounted(file: SessionFile, { bytes, container, flipped }: Mutant): string[] {
  const utf16 = file.salvage.notes.some(({ kind }) => kind === 'utf-16')
  if (utf16) return []
  const owner = new Uint8Array(bytes.length)
  for (const { start, end } of file.records) for (let i = start; i < end; i++) owner[i]!++
  for (const { offset, bytes: lost } of file.salvage.quarantined) {
    for (let i = 0; i < lost.length; i++) {
      owner[offset + i]!++
      if (lost[i] !== bytes[offset + i]) return [`quarantine differs from the file at byte ${offset + i}`]
    }
  }
  const twice = owner.findIndex((count) => count > 1)
  if (twice >= 0) return [`byte ${twice} is used twice`]
  // A flipped bit may be in the frame: it is compared as it was.
  const asItWas = Uint8Array.from(bytes, (byte, i) => (i === flipped?.at ? flipped.byte : byte))
  const rest = asItWas.filter((byte, i) => owner[i] === 0 && !WHITE.has(byte))
  return isFrame(rest, container) ? [] : [`bytes are in no record and not in quarantine: ${textOf(rest).slice(0, 60)}`]
}

const WHITE = new Set([0x20, 0x0a, 0x0d, 0x09])

/** What is left of a document are commas and, in order, bytes of its beginning and its end. */
function isFrame(rest: Uint8Array, { head, tail }: Mutant['container']): boolean {
  const frame = `${head}${tail}`.replaceAll(/\s/g, '')
  let at = 0
  for (const char of textOf(rest)) {
    if (char === ',' && frame[at] !== ',') continue
    at = frame.indexOf(char, at) + 1
    if (at === 0) return false
  }
  return true
}

/** The repair may add and change records by its plan; all others stay as they were. */
function lostByRepair(before: SessionFile, after: SessionFile, changes: number): string[] {
  const left = new Map<string, number>()
  for (const record of after.records) {
    const text = textOf(recordBytes(after, record))
    left.set(text, (left.get(text) ?? 0) + 1)
  }
  let gone = 0
  for (const record of before.records) {
    const text = textOf(recordBytes(before, record))
    const count = left.get(text) ?? 0
    if (count === 0) gone++
    else left.set(text, count - 1)
  }
  return gone > changes ? [`${gone} records differ after a repair with ${changes} changes`] : []
}

/** Every text that the model would have seen before the repair is in what it sees after it. */
function lostTexts(before: SessionFile, after: SessionFile): string[] {
  if (before === after) return []
  // Without escapes: a text may be quoted in another one.
  const plain = (value: unknown) => JSON.stringify(value).replaceAll('\\', '')
  const seen = plain(after.conversations.map(({ history }) => history))
  const lost = textsIn(before.conversations.map(({ history }) => history)).filter(
    (text) => !seen.includes(plain(text).slice(1, -1)),
  )
  return lost.length > 0 ? [`the repair removes a text that the model saw: ${lost[0]!.slice(0, 60)}`] : []
}

/** Texts of messages, results and reasoning; ids and types are no texts. */
function textsIn(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return TEXT_KEYS.has(key) && value.trim() !== '' ? [value] : []
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, name))
}

const TEXT_KEYS = new Set(['text', 'content', 'output', 'thinking', 'arguments', 'value'])
