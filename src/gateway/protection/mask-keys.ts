/**
 * Masks the key that the gateway adds for an upstream wherever the upstream's response repeats it. A mask is as long as
 * the key, so announced lengths stay true.
 */

/** Shorter keys may be ordinary words (`lm-studio`): they are masked in errors only. */
const SURE = 20
/** Keys that are shorter than this are not masked at all. */
const SHORTEST = 8
const ERROR = 400
const STAR = 0x2a
/** A key in shortened form: `sk-abcd****wxyz`, `sk-...wxyz`. Matched byte by byte, so an ellipsis is three bytes. */
const SHORTENED = /([\w-]{2,80})(\*{2,}|\.{3,}|\xe2\x80\xa6)([\w-]{0,80})/g
/** This much of a shortened key identifies it. */
const TELLING = 7

export class KeyMask {
  private readonly key: string
  private readonly needles: readonly Buffer[]

  constructor(key: string) {
    this.key = key
    // As it is, as JSON may escape it, and as in a query.
    const ways = new Set([key, key.replaceAll('/', '\\/'), JSON.stringify(key).slice(1, -1), encodeURIComponent(key)])
    this.needles = key.length < SHORTEST ? [] : [...ways].map((route) => Buffer.from(route))
  }

  /** Masks one response. */
  of(status: number): MaskingStream {
    const errors = status >= ERROR
    return new MaskingStream(errors || this.key.length >= SURE ? this.needles : [], errors ? this.key : undefined)
  }
}

/** One response that is being passed on. */
export class MaskingStream {
  private readonly needles: readonly Buffer[]
  /** The response is an error: shortened forms of the key are masked, too. */
  private readonly key: string | undefined
  /** The last bytes, if they may be the beginning of a key. */
  private tail: Buffer | undefined

  constructor(needles: readonly Buffer[], key: string | undefined) {
    this.needles = needles
    this.key = key
  }

  /** A header or a reason phrase. */
  text(value: string): string {
    return this.masked(Buffer.from(value, 'latin1')).toString('latin1')
  }

  /** The bytes that can be passed on now. */
  push(piece: Buffer): Buffer {
    const all = this.masked(this.tail ? Buffer.concat([this.tail, piece]) : piece)
    const from = this.begun(all)
    this.tail = from < all.length ? Buffer.from(all.subarray(from)) : undefined
    return from < all.length ? all.subarray(0, from) : all
  }

  /** The bytes that were held back: they were not a key. */
  end(): Buffer | undefined {
    const { tail } = this
    this.tail = undefined
    return tail
  }

  private masked(bytes: Buffer): Buffer {
    let out = bytes
    for (const needle of this.needles) {
      for (let at = out.indexOf(needle); at >= 0; at = out.indexOf(needle, at + needle.length)) {
        if (out === bytes) out = Buffer.from(bytes)
        out.fill(STAR, at, at + needle.length)
      }
    }
    return this.key === undefined ? out : withoutShortened(out, this.key)
  }

  /** The index where the longest beginning of a key at the end starts, or the length if there is none. */
  private begun(bytes: Buffer): number {
    let first = bytes.length
    for (const needle of this.needles) {
      const from = Math.max(0, bytes.length - needle.length + 1)
      for (let at = bytes.indexOf(needle[0]!, from); at >= 0 && at < first; at = bytes.indexOf(needle[0]!, at + 1))
        if (needle.subarray(0, bytes.length - at).equals(bytes.subarray(at))) first = at
    }
    return first
  }
}

function withoutShortened(bytes: Buffer, key: string): Buffer {
  const text = bytes.toString('latin1')
  const masked = text.replace(SHORTENED, (whole, before: string, middle: string, after: string) => {
    const tells = after === '' ? before.length >= TELLING : true
    if (!tells || !key.startsWith(before) || !key.endsWith(after)) return whole
    return '*'.repeat(before.length) + middle + '*'.repeat(after.length)
  })
  return masked === text ? bytes : Buffer.from(masked, 'latin1')
}
