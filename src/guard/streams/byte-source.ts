/** The bytes of a response, piece by piece: the common interface of a web stream's reader and a socket. */
import { tryParseJson } from '../../core/spelling.ts'
import { LATE } from '../pause.ts'

export interface ByteSource {
  /** The next piece; undefined at the end. Rejects if the response breaks off. */
  read(): Promise<Uint8Array | undefined>
  /** Calls a function with the next piece: one promise less per piece than `read`, if a source supports it. */
  pass?<T>(take: (piece: Uint8Array | undefined) => T, fail: (error: unknown) => T): Promise<Awaited<T>>
  /** What `collectBytes` returns, if a source supports it: at once if all has arrived. */
  all?(most: number): CollectedBytes | Promise<CollectedBytes>
  /** Whether the terminal event of the reply is in what was read so far, if it is being checked. */
  closed?(): boolean
  /** The rest is not needed. */
  cancel(reason?: unknown): void
}

/** A source that has these pieces and then those of another. A promise is a read that has begun. */
export function prepended(
  head: readonly (Uint8Array | Promise<Uint8Array | undefined>)[],
  rest?: ByteSource,
): ByteSource {
  let at = 0
  return {
    read: () => (at < head.length ? Promise.resolve(head[at++]) : (rest?.read() ?? Promise.resolve(undefined))),
    cancel: (reason) => rest?.cancel(reason),
  }
}

/** A source that breaks off after these pieces. */
export function brokenAfter(head: readonly Uint8Array[], error: unknown): ByteSource {
  return prepended(head, { read: () => Promise.reject(error), cancel: () => {} })
}

/** Everything up to the end, and how it ended. */
export interface CollectedBytes {
  readonly pieces: readonly Uint8Array[]
  readonly broken?: unknown
  /** It was longer than allowed, or is late: the source of the remaining pieces. */
  readonly rest?: ByteSource
  /** It is late. */
  readonly isLate?: boolean
}

/**
 * Milliseconds after which a client that has nothing yet gets what there is: some providers send keep-alives or white
 * space until a model has answered, and a client without headers by then gives up.
 */
export const LONGEST_HOLD = 2_000
/** Milliseconds for a response that is read completely before it is passed on. A later one is passed on in pieces. */
const LONGEST_READ = 60_000

/**
 * Calls `late` if a response is blank for a while, or not complete after a longer one. Returns a function that stops
 * it.
 */
export function whenLate(isBlank: () => boolean, late: () => void): () => void {
  let timer = setTimeout(() => {
    if (isBlank()) late()
    else timer = setTimeout(late, LONGEST_READ)
  }, LONGEST_HOLD)
  return () => clearTimeout(timer)
}

/** Only JSON white space, or nothing. */
export function isBlank(pieces: readonly Uint8Array[]): boolean {
  return pieces.every((piece) => piece.every((byte) => byte === 32 || (byte >= 9 && byte <= 13)))
}

/**
 * Reads up to `most` bytes, and not for long if there is only white space. Asynchronous only if something is still to
 * come. Never rejects.
 */
export function collectBytes(
  source: ByteSource,
  most = Number.POSITIVE_INFINITY,
): CollectedBytes | Promise<CollectedBytes> {
  return source.all ? source.all(most) : readAll(source, most)
}

async function readAll(source: ByteSource, most: number): Promise<CollectedBytes> {
  const pieces: Uint8Array[] = []
  let size = 0
  let stop = () => {}
  const late = new Promise<typeof LATE>((resolve) => {
    stop = whenLate(
      () => isBlank(pieces),
      () => resolve(LATE),
    )
  })
  try {
    for (;;) {
      const reading = source.read()
      const piece = await Promise.race([reading, late])
      if (piece === LATE) {
        // It is read later, or never.
        reading.catch(() => {})
        return { pieces, rest: prepended([reading], source), isLate: true }
      }
      if (piece === undefined) return { pieces }
      pieces.push(piece)
      size += piece.length
      if (size > most) return { pieces, rest: source }
    }
  } catch (broken) {
    return { pieces, broken: broken ?? new Error('The response was cut off.') }
  } finally {
    stop()
  }
}

export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** Keeps the bytes of a response that is passed on, to read it at its end. One longer than `most` is not kept. */
export class KeptBytes {
  /** Bytes so far. */
  size = 0
  private readonly most: number
  private pieces: Uint8Array[] = []

  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most
  }

  push(piece: Uint8Array): void {
    this.size += piece.length
    if (this.size > this.most) this.pieces = []
    else this.pieces.push(piece)
  }

  /** The value; undefined if it is not JSON, or too long. */
  json(): unknown {
    return tryParseJson(new TextDecoder().decode(concatBytes(this.pieces)))
  }
}
