/**
 * Counts the bytes that requests hold in memory, as they arrive, against one limit for the whole process. A body that is being read is a
 * `Gathering`; everything that one request holds is its `MemoryHold`, released when its response ends.
 */

import { GatewayError } from '../gateway-error.ts'
import type { Count } from '../observation/index.ts'

/** The bytes that one request holds. */
export class MemoryHold {
  private readonly total: Count
  private readonly limit: number
  private bytes = 0
  /** Of them, what the parsed body takes. */
  private parsed = 0

  constructor(total: Count, limit: number) {
    this.total = total
    this.limit = limit
  }

  /** Whether the process may hold this many more bytes. */
  fits(bytes: number): boolean {
    return this.total.value + bytes <= this.limit
  }

  /** Counts these bytes, or returns false and counts nothing. */
  tries(bytes: number): boolean {
    if (!this.fits(bytes)) return false
    this.bytes += bytes
    this.total.value += bytes
    return true
  }

  /** Counts these bytes, or rejects the request. */
  take(bytes: number): void {
    if (!this.tries(bytes)) throw overloaded()
  }

  /** Counts the memory of the parsed body, in place of what it took so far. False: more than the process may ever hold. */
  takesParsed(bytes: number): boolean {
    this.give(this.parsed)
    this.parsed = 0
    if (this.bytes + bytes > this.limit) return false
    this.take(bytes)
    this.parsed = bytes
    return true
  }

  give(bytes: number): void {
    this.bytes -= bytes
    this.total.value -= bytes
  }

  /** The request has ended: its bytes are released. */
  end(): void {
    this.give(this.bytes)
  }
}

/** Pieces up to this size are copied into one buffer: a body of single bytes would otherwise cost a hundred times its size. */
const SMALL = 4096
const BLOCK = 64 * 1024

/** One body that is being read into memory. */
export class BodyBuffer {
  private readonly hold: MemoryHold
  private readonly limit: number
  private pieces: Uint8Array[] = []
  /** The buffer for small pieces, and how much of it is used. */
  private block: Buffer | undefined
  private used = 0
  private size = 0
  private counted = 0

  /** `limit`: bytes of this body. */
  constructor(hold: MemoryHold, limit: number) {
    this.hold = hold
    this.limit = limit
  }

  /** Throws if the body is too large or the process is at its limit; then nothing of it is kept. */
  add(piece: Uint8Array): void {
    try {
      if (this.size + piece.length > this.limit) throw tooLarge(this.limit)
      this.hold.take(piece.length)
    } catch (error) {
      this.drop()
      throw error
    }
    this.size += piece.length
    this.counted += piece.length
    if (this.pieces.length === 0 || piece.length > SMALL) this.push(piece)
    else this.copy(piece)
  }

  /** The whole body as one piece. It stays counted. */
  whole(): Uint8Array {
    this.flush()
    const { pieces } = this
    this.pieces = []
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, this.size)
  }

  /** The body is no longer needed. */
  drop(): void {
    this.hold.give(this.counted)
    this.counted = 0
    this.pieces = []
    this.block = undefined
  }

  private push(piece: Uint8Array): void {
    this.flush()
    this.pieces.push(piece)
  }

  private copy(piece: Uint8Array): void {
    if (this.block && this.used + piece.length > BLOCK) this.flush()
    this.block ??= Buffer.allocUnsafeSlow(BLOCK)
    this.block.set(piece, this.used)
    this.used += piece.length
  }

  private flush(): void {
    if (this.block) this.pieces.push(this.block.subarray(0, this.used))
    this.block = undefined
    this.used = 0
  }
}

export function tooLarge(limit: number): GatewayError {
  return new GatewayError(
    'body-too-large',
    `The body is larger than ${limit} bytes. Send less, or start the gateway with a larger \`limits.maxBodyBytes\`.`,
  )
}

export function overloaded(): GatewayError {
  return new GatewayError(
    'overloaded',
    'This gateway has reached its memory limit (`limits.maxBufferedBytes`). Retry later.',
    {
      'retry-after': '1',
    },
  )
}
