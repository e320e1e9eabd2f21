/**
 * Counts the bytes that requests hold in memory, as they arrive, against one limit for the process. A body that is
 * being read is a `BodyBuffer`; everything that one request holds is its `MemoryHold`, released when its response ends.
 */

import { GatewayError } from '../gateway-error.ts'
import type { Count } from '../observation/index.ts'
import { leftBehind } from './collect-garbage.ts'

/** The bytes that one request holds. */
export class MemoryHold {
  private readonly total: Count
  private readonly limit: number
  private bytes = 0
  /** The bytes of the parsed body, which are part of `bytes`. */
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

  /** Counts the memory of the parsed body, 0 if it is not kept. False: one request may never hold that much. */
  takesParsed(bytes: number): boolean {
    this.give(this.parsed)
    leftBehind(this.parsed, this.limit)
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
    // Large bodies leave garbage behind, like what they were parsed to.
    leftBehind(this.bytes, this.limit)
    this.give(this.bytes)
  }
}

/**
 * A buffer of the announced length is allocated at once up to this size. A larger one is allocated when a quarter of it
 * has arrived, since a client may announce any length.
 */
const TRUSTED = 1024 * 1024

/**
 * One body that is being read. Pieces are copied into one buffer as they arrive: kept pieces would double its memory
 * until they are collected, and a body of single bytes would take a hundred times its size.
 */
export class BodyBuffer {
  private readonly hold: MemoryHold
  private readonly limit: number
  private readonly announced: number
  private buffer: Uint8Array = EMPTY
  /** Bytes of the body so far, counted by the hold. */
  private size = 0

  /** `limit`: bytes of this body. `announced`: its length, if the client has named one. */
  constructor(hold: MemoryHold, limit: number, announced = 0) {
    this.hold = hold
    this.limit = limit
    this.announced = announced
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
    const before = this.size
    this.size += piece.length
    // Most bodies come in one piece.
    if (before === 0 && piece.length >= this.announced) this.buffer = piece
    else {
      this.grow(before)
      this.buffer.set(piece, before)
    }
  }

  /** The whole body as one piece. It stays counted. */
  whole(): Uint8Array {
    const { buffer, size } = this
    this.buffer = EMPTY
    return buffer.subarray(0, size)
  }

  /** The body is no longer needed. */
  drop(): void {
    this.hold.give(this.size)
    this.size = 0
    this.buffer = EMPTY
  }

  private grow(filled: number): void {
    const { size, announced } = this
    if (size <= this.buffer.length) return
    const isTrusted = announced >= size && announced <= Math.max(TRUSTED, size * 4)
    const buffer = Buffer.allocUnsafeSlow(isTrusted ? announced : size * 2)
    buffer.set(this.buffer.subarray(0, filled))
    this.buffer = buffer
  }
}

const EMPTY = Buffer.alloc(0)

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
