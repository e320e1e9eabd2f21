/**
 * The text of a request body. Decoding a megabyte costs as much as parsing it, so it is decoded once, and not kept while the response is pending.
 */
import { rememberNumbers } from '../core/index.ts'

/** A body as a caller has it: text that was not encoded yet, or bytes. */
export type BodyData = string | Uint8Array

const decoder = new TextDecoder()

export class BodyText {
  private readonly decode: () => string
  private text: string | undefined
  /** The value for which numbers were kept, and whether there are any. */
  private numbers: { readonly of: object; readonly any: boolean } | undefined

  constructor(decode: () => string) {
    this.decode = decode
  }

  get(): string {
    this.text ??= this.decode()
    return this.text
  }

  /** Keeps the spelling of numbers for the value that was parsed from this text. Whether there may be any to keep. */
  rememberNumbers(value: object): boolean {
    if (this.numbers?.of !== value) this.numbers = { of: value, any: rememberNumbers(this.get(), value) }
    return this.numbers.any
  }

  release(): void {
    this.text = this.numbers = undefined
  }
}

export function textOf(body: BodyData): string {
  return typeof body === 'string' ? body : decoder.decode(body)
}
