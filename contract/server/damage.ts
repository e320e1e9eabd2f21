import { join } from './eventstream.ts'
import { type Faults, numberOf } from './faults.ts'
import { encode, type Frame } from './frames.ts'
import type { Answer } from './types.ts'

/** The bytes of an answer after its faults were applied. */
export function damage(frames: readonly Frame[], faults: Faults, write?: number): Pick<Answer, 'writes' | 'ending'> {
  const place = placeOf(frames, faults)
  const all = join(frames.map((frame) => frame.bytes))
  const kept = place ? all.subarray(0, place.at) : all
  const ending = place?.ending ?? 'end'
  return { ending, writes: write === undefined ? split(kept, frames) : sliced(kept, write) }
}

interface Place {
  readonly at: number
  readonly ending: Answer['ending']
}

function placeOf(frames: readonly Frame[], faults: Faults): Place | undefined {
  for (const [word, ending] of [
    ['cut', 'cut'],
    ['end', 'end'],
    ['stall', 'stall'],
  ] as const) {
    const bytes = numberOf(faults, `${word}-after-bytes`)
    if (bytes !== undefined) return { at: bytes, ending }
    const events = numberOf(faults, `${word}-after-events`)
    if (events !== undefined) return { at: sizeOf(frames.slice(0, events)), ending }
  }
  if (faults.has('cut-in-character')) return { at: inCharacter(frames), ending: 'cut' }
  if (faults.has('cut-in-arguments')) return { at: inArguments(frames), ending: 'cut' }
  return
}

// Searched in the event and then in its bytes: checksums of a binary frame contain bytes that look like characters.
function inCharacter(frames: readonly Frame[]): number {
  let before = 0
  for (const { bytes, event } of frames) {
    const character = [...(JSON.stringify(event.data) ?? '')].find((one) => one > '\x7f')
    if (character !== undefined) return before + indexOf(bytes, encode(character)) + 1
    before += bytes.length
  }
  return Math.floor(before / 2)
}

// In the middle of the first piece of arguments: everything before it is complete.
function inArguments(frames: readonly Frame[]): number {
  const at = frames.findIndex((frame) => frame.event.carries !== undefined)
  const { bytes, event } = frames[at] ?? {}
  if (!bytes || event?.carries === undefined) return Math.floor(sizeOf(frames) / 2)
  const text = typeof event.data === 'string' ? event.data : JSON.stringify(event.data)
  const escaped = JSON.stringify(event.carries).slice(1, -1)
  const inside = encode(text.includes(escaped) ? escaped : event.carries)
  return sizeOf(frames.slice(0, at)) + indexOf(bytes, inside) + Math.ceil(inside.length / 2)
}

function sizeOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, frame) => sum + frame.bytes.length, 0)
}

function indexOf(bytes: Uint8Array, sought: Uint8Array): number {
  const starts = (at: number) => sought.every((byte, index) => bytes[at + index] === byte)
  for (let at = 0; at < bytes.length; at++) if (starts(at)) return at
  return Math.floor(bytes.length / 2)
}

function split(bytes: Uint8Array, frames: readonly Frame[]): Uint8Array[] {
  const writes: Uint8Array[] = []
  let at = 0
  for (const frame of frames) {
    if (at >= bytes.length) break
    writes.push(bytes.subarray(at, at + frame.bytes.length))
    at += frame.bytes.length
  }
  return writes
}

function sliced(bytes: Uint8Array, size: number): Uint8Array[] {
  const step = Math.max(1, size)
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  )
}
