/**
 * Reads HTTP/1.1 messages from a copy of the bytes of one direction of a connection. It only observes: the bytes themselves
 * pass elsewhere, unchanged.
 */
export interface HttpMessage {
  readonly start: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface HttpReader {
  push(bytes: Buffer): void
}

interface Handlers {
  /** The head of a message has arrived. */
  head?(start: string, headers: Readonly<Record<string, string>>): void
  /** The message is complete. */
  whole?(message: HttpMessage): void
}

/** `bodyless` says whether a message with this head has no body, whatever its headers say (answers to HEAD, 204, 1xx). */
export function httpReader(handlers: Handlers, bodyless: (start: string) => boolean = () => false): HttpReader {
  let rest: Buffer = Buffer.alloc(0)
  let head: { start: string; headers: Record<string, string> } | undefined
  const next = (): boolean => {
    if (!head) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return false
      head = parseHead(rest.subarray(0, end).toString('latin1'))
      rest = rest.subarray(end + 4)
      handlers.head?.(head.start, head.headers)
    }
    const taken = bodyless(head.start) ? { body: Buffer.alloc(0), size: 0 } : takeBody(head.headers, rest)
    if (!taken) return false
    rest = rest.subarray(taken.size)
    const message = { ...head, body: taken.body }
    head = undefined
    handlers.whole?.(message)
    return rest.length > 0
  }
  return {
    push(bytes) {
      rest = Buffer.concat([rest, bytes])
      while (next());
    },
  }
}

function parseHead(text: string): { start: string; headers: Record<string, string> } {
  const [start = '', ...lines] = text.split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { start, headers }
}

function takeBody(headers: Record<string, string>, bytes: Buffer): { body: Buffer; size: number } | undefined {
  if (/\bchunked\b/i.test(headers['transfer-encoding'] ?? '')) return takeChunks(bytes)
  const size = Number(headers['content-length'] ?? 0)
  return bytes.length < size ? undefined : { body: Buffer.from(bytes.subarray(0, size)), size }
}

function takeChunks(bytes: Buffer): { body: Buffer; size: number } | undefined {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16)
    const end = line + 2 + size + 2
    if (bytes.length < end) return undefined
    if (size === 0) return { body: Buffer.concat(chunks), size: end }
    chunks.push(bytes.subarray(line + 2, line + 2 + size))
    at = end
  }
}
