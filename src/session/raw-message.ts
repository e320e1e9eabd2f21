/**
 * A message as the JSON text it came as. It is stored to the letter, and a view says the text again: numbers, escapes, the order of keys and space
 * are those that the client wrote.
 */
import { jsonText, parseJson } from '../core/index.ts'
import { encode, type MessageBody } from './record.ts'

export class RawMessage {
  readonly text: string
  readonly message: unknown

  /** Throws where the text is no JSON. */
  constructor(text: string) {
    this.text = text
    this.message = parseJson(text)
  }
}

/** Messages, and the texts of those that came as texts, by reference. */
export interface Plain {
  readonly messages: readonly unknown[]
  readonly texts: ReadonlyMap<unknown, string>
}

export function plainOf(messages: readonly unknown[]): Plain {
  if (!messages.some((one) => one instanceof RawMessage)) return { messages, texts: new Map() }
  const texts = new Map<unknown, string>()
  const plain = messages.map((one) => {
    if (!(one instanceof RawMessage)) return one
    if (typeof one.message === 'object' && one.message !== null) texts.set(one.message, one.text)
    return one.message
  })
  return { messages: plain, texts }
}

const KEY = '"message":'

/** The body of a message record. A text of its own stands at the end, and its length says where it begins. */
export function encodeMessage(body: MessageBody, text: string | undefined): string {
  const { message, ...rest } = body
  if (text === undefined || text === jsonText(message)) return encode(body)
  return `${encode({ ...rest, asSent: text.length }).slice(0, -1)},${KEY}${text}}`
}

/** The text of a message that is written otherwise than `jsonText` would write it. */
export function rawTextIn(body: string, asSent: unknown): string | undefined {
  if (typeof asSent !== 'number') return undefined
  const from = body.length - 1 - asSent
  return body.slice(from - KEY.length, from) === KEY ? body.slice(from, -1) : undefined
}
