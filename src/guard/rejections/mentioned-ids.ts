/** Ids and places that a rejection names. */

/** Ids in the formats of providers. */
const SHAPED =
  /\b(?:toolu|tooluse|srvtoolu|call|fc|fco|rs|msg|ws|resp|ctc|item|chatcmpl-tool|lsc|ci)_[A-Za-z0-9_-]{2,}/g

/** Where a text introduces ids of any format; several are separated by commas. */
const LISTED: readonly RegExp[] = [
  /immediately after: ([^\s,]+(?:, [^\s,]+)*)/i,
  /did not have response messages: ([^\s,]+(?:, [^\s,]+)*)/i,
  /for the following Ids: ([^\s,]+(?:, [^\s,]+)*)/i,
  /missing for tool calls? ([^\s,]+(?:, [^\s,]+)*)/i,
  /tool_result`? blocks(?: with id)?: ([^\s,]+)/i,
  /No tool output found for [\w ]{1,60} call ([^\s,]+)/i,
  /No tool call found for [\w ]{1,60} output with call_id ([^\s,]+)/i,
  /'tool_call_id' of (\S+) in /i,
  /Tool call id was (\S+) but/i,
  /(?:[Ii]tem|response)(?: found)? with id '?([^\s',]+)/,
  /Item '([^']+)' of type/,
  /required 'reasoning' item: '([^']+)'/,
  /\.id': '([^']+)'\. Expected/,
  /encrypted content for item (\S+)/i,
]

/** A path into the history in any notation, with what follows the index of the message. */
const PLACES: readonly RegExp[] = [
  /\b(?:messages|input|contents)(?:\.?\[(\d{1,7})\]|\.(\d{1,7})\b)([\w.[\]]{0,200})/,
  /\bmessage\[(\d{1,7})\]/,
  /["'](?:messages|input|contents)["'],\s?(\d{1,7})/,
  /message at position (\d{1,7})/i,
  /\bat (?:message )?index (\d{1,7})/i,
]

export function idsIn(texts: readonly string[]): readonly string[] {
  const ids = new Set<string>()
  for (const text of texts) {
    for (const pattern of LISTED) for (const id of pattern.exec(text)?.[1]?.split(', ') ?? []) add(ids, id)
    for (const [id] of text.matchAll(SHAPED)) add(ids, id)
  }
  return [...ids]
}

function add(ids: Set<string>, named: string): void {
  const id = unquoted(named)
  // Fields and places are not ids: DashScope has `message[532].role` where others name the call.
  if (id === '' || /^call_id$|^tool_|^item_reference$|^message\[|^msg_id$|…|^\.+$/.test(id)) return
  ids.add(id)
}

/** An id without quotes and punctuation around it. A pattern would try each position of a long run. */
function unquoted(named: string): string {
  let start = 0
  let end = named.length
  while (start < end && `"'\``.includes(named[start]!)) start++
  while (end > start && `"'\`.,;)`.includes(named[end - 1]!)) end--
  return named.slice(start, end)
}

export interface Place {
  readonly message: number
  /** The path inside the message, as the text writes it: `content.0`, `tool_calls[0].type`. */
  readonly part?: string
}

export function placeIn(texts: readonly string[]): Place | undefined {
  for (const text of texts) {
    for (const pattern of PLACES) {
      const [, first, second, rest = ''] = pattern.exec(text) ?? []
      const message = first ?? second
      if (message === undefined) continue
      const part = rest.replace(/^[.]|[.[]$/g, '')
      return { message: Number(message), ...(part === '' ? {} : { part }) }
    }
  }
  return undefined
}
