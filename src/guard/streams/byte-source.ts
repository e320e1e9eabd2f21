/**
 * The bytes of a response, piece by piece: the common interface of a web stream's reader and a socket.
 */
export interface ByteSource {
  /** The next piece; undefined at the end. Rejects if the response breaks off. */
  read(): Promise<Uint8Array | undefined>
  /** Calls a function with the next piece: one promise less per piece than `read`, if a source supports it. */
  pass?<T>(take: (piece: Uint8Array | undefined) => T, fail: (error: unknown) => T): Promise<Awaited<T>>
  /** All remaining pieces up to `most` bytes, if a source supports it: at once if they have arrived. Never rejects. */
  all?(most: number): CollectedBytes | Promise<CollectedBytes>
  /** Whether the terminal event of the reply is in what was read so far, if it is being checked. */
  closed?(): boolean
  /** The rest is not needed. */
  cancel(reason?: unknown): void
}

/** A source that has these pieces and then those of another. */
export function prepended(head: readonly Uint8Array[], rest?: ByteSource): ByteSource {
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
  /** It was longer than allowed: the source of the remaining pieces. */
  readonly rest?: ByteSource
}

/** Reads up to `most` bytes. Asynchronous only if something is still to come. */
export function collectBytes(
  source: ByteSource,
  most = Number.POSITIVE_INFINITY,
): CollectedBytes | Promise<CollectedBytes> {
  return source.all ? source.all(most) : readAll(source, most)
}

async function readAll(source: ByteSource, most: number): Promise<CollectedBytes> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for (let piece = await source.read(); piece !== undefined; piece = await source.read()) {
      pieces.push(piece)
      size += piece.length
      if (size > most) return { pieces, rest: source }
    }
    return { pieces }
  } catch (broken) {
    return { pieces, broken: broken ?? new Error('The response was cut off.') }
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
