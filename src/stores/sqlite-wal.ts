/**
 * Whether commits stand in a journal after a place that does not add up. SQLite reads up to there and takes the rest for the remains of a crash;
 * where each commit is synced before the next one begins, no crash leaves two commits there: that is damage.
 * The format is SQLite's own (sqlite.org/fileformat2.html#walformat).
 */
import { closeSync, openSync, readSync } from 'node:fs'

const HEADER = 32
const FRAME_HEADER = 24

/** Two running sums, as the format has them. */
type Sums = readonly [number, number]

interface Frame {
  readonly isCommit: boolean
  /** What stands there, and what would fit after one of the given sums. */
  readonly stored: Sums
  readonly made: readonly Sums[]
  readonly salt: string
  readonly fits: boolean
}

/** How many commits cannot be read any more because of damage before them; 0 for a journal that is whole or was cut off by a crash. */
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
  try {
    return openSync(journal, 'r')
  } catch {
    return undefined
  }
}

function commitsBehindBreak(file: number, pageSize: number): number {
  const header = Buffer.alloc(HEADER)
  if (readSync(file, header, 0, HEADER, 0) < HEADER) return 0
  const little = (header[3]! & 1) === 0
  const stored = sumsAt(header, 24)
  const made = sumOf(header.subarray(0, 24), [0, 0], little)
  const whole = isSame(stored, made)
  let before: readonly Sums[] = whole ? [stored] : [stored, made]
  // Of a header that is damaged nothing is believed: the first frame says which frames belong together.
  let salt = whole ? header.toString('hex', 16, 24) : undefined
  let broken = !whole
  let commits = 0
  const buffer = Buffer.alloc(FRAME_HEADER + pageSize)
  for (let at = HEADER; readSync(file, buffer, 0, buffer.length, at) === buffer.length; at += buffer.length) {
    const frame = frameOf(buffer, before, salt, little)
    salt ??= frame.salt
    // Remains of an earlier journal, or a second place that does not add up: nothing is certain of what follows.
    if (!frame.fits && (broken || !isNear(frame.salt, salt))) break
    broken ||= !frame.fits
    before = frame.fits ? [frame.stored] : [frame.stored, ...frame.made]
    if (broken && frame.isCommit) commits++
  }
  // In the one commit that was under way a crash may leave any gap; a header is synced before anything stands behind it.
  return commits > (whole ? 1 : 0) ? commits : 0
}

function frameOf(buffer: Buffer, before: readonly Sums[], salt: string | undefined, little: boolean): Frame {
  const stored = sumsAt(buffer, 16)
  const page = buffer.subarray(FRAME_HEADER)
  const made = before.map((sums) => sumOf(page, sumOf(buffer.subarray(0, 8), sums, little), little))
  const own = buffer.toString('hex', 8, 16)
  const fits = (salt === undefined || own === salt) && made.some((sums) => isSame(sums, stored))
  return { isCommit: buffer.readUInt32BE(4) !== 0, stored, made, salt: own, fits }
}

/** The same, or one bit apart: damage in the salt itself. Frames of an earlier journal have quite another one. */
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
