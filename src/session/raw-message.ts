import { jsonText, parseJson } from '../core/index.ts'
import { encode, type MessageBody } from './record.ts'

/**
 * A message as JSON text. It is stored verbatim, and a view returns the text: numbers, escapes, the order of keys and
 * white space are as the client wrote them.
 */
export class RawMessage {
  readonly text: string
  readonly message: unknown

  /** Throws if the text is not JSON. */
  constructor(text: string) {
    this.text = text
    this.message = parseJson(text)
  }
}

/** The messages themselves, and the texts of raw ones, by reference. */
export function plainOf(messages: readonly unknown[]) {
  if (!messages.some((one) => one instanceof RawMessage)) return { messages, texts: new Map<unknown, string>() }
  const texts = new Map<unknown, string>()
  const plain = messages.map((one) => {
    if (!(one instanceof RawMessage)) return one
    if (typeof one.message === 'object' && one.message !== null) texts.set(one.message, one.text)
    return one.message
  })
  return { messages: plain, texts }
}

const KEY = '"message":'

/** The body of a message record. A raw text is at its end, and its length tells where it begins. */
export function encodeMessage(body: MessageBody, text: string | undefined): string {
  const { message, ...rest } = body
  if (text === undefined || text === jsonText(message)) return encode(body)
  return `${encode({ ...rest, asSent: text.length }).slice(0, -1)},${KEY}${text}}`
}

/** The text of a message, if `jsonText` would write it differently. */
export function rawTextIn(body: string, asSent: unknown): string | undefined {
  if (typeof asSent !== 'number') return undefined
  const from = body.length - 1 - asSent
  return body.slice(from - KEY.length, from) === KEY ? body.slice(from, -1) : undefined
}
