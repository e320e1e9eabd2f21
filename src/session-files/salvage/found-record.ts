/**
 * A record as it was found. Offsets count from the first byte that was pushed. A view of its bytes is made when it is
 * asked for: a file has many records, and few ask.
 */
export class SalvagedRecord {
  readonly kind = 'record'
  readonly line: number
  readonly start: number
  readonly end: number
  readonly value: unknown
  /** Bytes that are one valid JSON line, where those in the file are not. */
  readonly rewritten: Uint8Array | undefined
  private readonly buffer: Uint8Array
  private readonly offset: number

  constructor(
    buffer: Uint8Array,
    offset: number,
    start: number,
    end: number,
    line: number,
    value: unknown,
    rewritten: Uint8Array | undefined,
  ) {
    this.buffer = buffer
    this.offset = offset
    this.start = offset + start
    this.end = offset + end
    this.line = line
    this.value = value
    this.rewritten = rewritten
  }

  /** The bytes of the record as the file has them. */
  get bytes(): Uint8Array {
    return this.buffer.subarray(this.start - this.offset, this.end - this.offset)
  }
}
