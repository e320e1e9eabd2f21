/**
 * Keeps the bytes of a conversation in append mode: each message as its client wrote it, in the body of the current
 * request.
 */
import { jsonText, parseJson, rememberNumbers, withKey } from '../../core/index.ts'
import { membersOf, splice } from '../../json-bytes/index.ts'
import { RawMessage, type View } from '../../session/index.ts'
import type { ParsedRequest } from './store-reply.ts'

/** The request with this history instead of its own messages, as bytes and parsed; everything else keeps its bytes. */
export function withHistory({ body, parsed, endpoint }: ParsedRequest, view: View) {
  const { key } = endpoint.service.dialect
  const list = listOf(view)
  const place = placeOf(body, parsed, key)
  const bytes = place
    ? Buffer.concat([body.subarray(0, place.start), list, body.subarray(place.end)])
    : anew(body, key, list)
  return { bytes, parsed: { ...parsed, [key]: view.history } }
}

/** The messages of a request that are new to the log, each with its original text if the body is unambiguous. */
export function rawIn({ body, parsed, endpoint }: ParsedRequest, messages: readonly unknown[]): readonly unknown[] {
  const { key } = endpoint.service.dialect
  const list = parsed[key]
  const places = Array.isArray(list) && messages.length > 0 ? membersOf(body, parsed, key)?.elements : undefined
  if (!places) {
    // A repeated key, or no list: then at least numbers keep their spelling.
    rememberNumbers(decoder.decode(body), parsed)
    return messages
  }
  const index = new Map((list as readonly unknown[]).map((message, i) => [message, i]))
  return messages.map((message) => {
    const i = index.get(message)
    if (i === undefined || typeof message !== 'object' || message === null) return message
    return new RawMessage(decoder.decode(body.subarray(places.starts[i], places.ends[i])))
  })
}

const decoder = new TextDecoder()
const WRAPPED = '{"k":'

/** The history as a JSON list: messages that were not repaired keep their text. */
function listOf({ history, source }: View): Uint8Array {
  const messages = source.map(({ message }) => message)
  const text = `[${source.map(({ message, text }) => text ?? jsonText(message) ?? 'null').join()}]`
  if (messages.length === history.length && messages.every((message, i) => message === history[i]))
    return Buffer.from(text)
  const { bytes } = splice(
    Buffer.from(`${WRAPPED}${text}}`),
    { k: messages },
    { k: history },
    { arrayKey: 'k', stringify: jsonText },
  )
  return bytes.subarray(WRAPPED.length, -1)
}

/** For a body with a repeated key: the last one counts, as for a parser. */
function anew(body: Uint8Array, key: string, list: Uint8Array): Uint8Array {
  const rest = withKey(parseJson(decoder.decode(body)) as Record<string, unknown>, key, undefined)
  const others = jsonText(rest)!.slice(1, -1)
  return Buffer.concat([
    Buffer.from(`{${others}${others === '' ? '' : ','}${JSON.stringify(key)}:`),
    list,
    Buffer.from('}'),
  ])
}

/** The place of the value of this key; undefined if the key is repeated. */
function placeOf(body: Uint8Array, parsed: Record<string, unknown>, key: string) {
  const members = membersOf(body, parsed)
  const at = members?.keys.indexOf(key) ?? -1
  return at < 0 ? undefined : { start: members!.values[at]!, end: members!.ends[at]! }
}
