/**
 * Finds commits in a journal after a frame that is not valid. SQLite reads up to that frame and takes the rest for the
 * remains of a crash. If each commit is synced before the next one begins, no crash leaves two commits there: that is
 * damage. The format is SQLite's own (sqlite.org/fileformat2.html#walformat).
 */

import { closeSync, openSync, readSync } from 'node:fs'
import { orUndefined } from '../core/index.ts'

const HEADER = 32
const FRAME_HEADER = 24

/** The two running checksums of the format. */
type Sums = readonly [number, number]

/** Number of commits after damage that cannot be read; 0 for an intact journal or one cut off by a crash. */
export function hiddenCommits(journal: string, pageSize: number): number {
  const file = opened(journal)
  if (file === undefined) return 0
  try {
    return commitsBehindBreak(file, pageSize)
  } finally {
    closeSync(file)
  }
}

function opened(journal: string): number | undefined {
  return orUndefined(() => openSync(journal, 'r'))
}

function commitsBehindBreak(file: number, pageSize: number): number {
  const header = Buffer.alloc(HEADER)
  if (readSync(file, header, 0, HEADER, 0) < HEADER) return 0
  const little = (header[3]! & 1) === 0
  const stored = sumsAt(header, 24)
  const made = sumOf(header.subarray(0, 24), [0, 0], little)
  const whole = isSame(stored, made)
  let before: readonly Sums[] = whole ? [stored] : [stored, made]
  // A damaged header is ignored: the first frame tells which frames belong together.
  let salt = whole ? header.toString('hex', 16, 24) : undefined
  let broken = !whole
  let commits = 0
  const buffer = Buffer.alloc(FRAME_HEADER + pageSize)
  for (let at = HEADER; readSync(file, buffer, 0, buffer.length, at) === buffer.length; at += buffer.length) {
    const frame = frameOf(buffer, before, salt, little)
    salt ??= frame.salt
    // Remains of an earlier journal, or a second invalid frame: nothing after it is certain.
    if (!frame.fits && (broken || !isNear(frame.salt, salt))) break
    broken ||= !frame.fits
    before = frame.fits ? [frame.stored] : [frame.stored, ...frame.made]
    if (broken && frame.isCommit) commits++
  }
  // A crash may leave any gap in the one commit that was being written; a header is synced before anything follows it.
  return commits > (whole ? 1 : 0) ? commits : 0
}

/** A frame with its stored checksums, and those computed from the ones before it. */
function frameOf(buffer: Buffer, before: readonly Sums[], salt: string | undefined, little: boolean) {
  const stored = sumsAt(buffer, 16)
  const page = buffer.subarray(FRAME_HEADER)
  const made = before.map((sums) => sumOf(page, sumOf(buffer.subarray(0, 8), sums, little), little))
  const own = buffer.toString('hex', 8, 16)
  const fits = (salt === undefined || own === salt) && made.some((sums) => isSame(sums, stored))
  return { isCommit: buffer.readUInt32BE(4) !== 0, stored, made, salt: own, fits }
}

/** Equal, or one bit apart (a damaged salt). The salt of an earlier journal is entirely different. */
function isNear(one: string, other: string): boolean {
  let bits = BigInt(`0x${one}`) ^ BigInt(`0x${other}`)
  let count = 0
  for (; bits > 0n; bits &= bits - 1n) count++
  return count <= 1
}

function sumsAt(buffer: Buffer, at: number): Sums {
  return [buffer.readUInt32BE(at), buffer.readUInt32BE(at + 4)]
}

function isSame(one: Sums, other: Sums): boolean {
  return one[0] === other[0] && one[1] === other[1]
}

function sumOf(bytes: Buffer, [first, second]: Sums, little: boolean): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [a, b] = [first | 0, second | 0]
  for (let at = 0; at < bytes.byteLength; at += 8) {
    a = (a + view.getInt32(at, little) + b) | 0
    b = (b + view.getInt32(at + 4, little) + a) | 0
  }
  return [a >>> 0, b >>> 0]
}
