/**
 * The messages of an MCP client, one line each. A line over the limit is discarded and answered with a JSON-RPC error,
 * so that the client does not wait and the server continues.
 */

import { Transform } from 'node:stream'
import { orUndefined } from '../../core/or-undefined.ts'
import { oneLine } from '../terminal/index.ts'

export const MOST_MESSAGE_BYTES = 10 * 1024 * 1024
/** Of a discarded line, at its beginning and its end: the id of the request is in one of them. */
const KEPT = 512
const NEWLINE = 10

const INTERNAL_ERROR = -32603
const INVALID_PARAMS = -32602

interface Fault {
  readonly path?: readonly unknown[]
  readonly message?: unknown
}

/**
 * The SDK answers a request with wrong parameters with an internal error: all that its schema says, as indented JSON.
 */
export function withPlainError<M extends object>(message: M): M {
  const { error } = message as { error?: { code: number; message: string } }
  const faults = error?.code === INTERNAL_ERROR ? faultsIn(error.message) : undefined
  if (!faults) return message
  const text = faults.map(({ path, message }) => `${path?.join('.') || 'request'}: ${message}`).join('; ')
  return { ...message, error: { code: INVALID_PARAMS, message: oneLine(`Invalid request. ${text}`, 1000) } }
}

function faultsIn(text: string): readonly Fault[] | undefined {
  const value: unknown = orUndefined(() => JSON.parse(text))
  return Array.isArray(value) ? value : undefined
}

export class MessageLines extends Transform {
  private readonly answer: (text: string) => void
  private readonly limit: number
  private pieces: Buffer[] = []
  private length = 0
  private head = ''
  private tail = Buffer.alloc(0)

  constructor(answer: (text: string) => void, limit = MOST_MESSAGE_BYTES) {
    super()
    this.answer = answer
    this.limit = limit
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.add(chunk.subarray(from, end + 1))
      this.finish()
      from = end + 1
    }
    this.add(chunk.subarray(from))
    done()
  }

  private add(piece: Buffer): void {
    const wasWithin = this.length <= this.limit
    this.length += piece.length
    if (this.length <= this.limit) this.pieces.push(piece)
    else {
      if (wasWithin) this.head = Buffer.concat([...this.pieces, piece]).toString('utf8', 0, KEPT)
      this.tail = Buffer.concat([this.tail, piece.subarray(-KEPT)]).subarray(-KEPT)
      this.pieces = []
    }
  }

  private finish(): void {
    if (this.length <= this.limit) this.push(Buffer.concat(this.pieces))
    else this.answer(tooLong(idIn(this.head, this.tail.toString()), this.limit))
    this.pieces = []
    this.length = 0
    this.tail = Buffer.alloc(0)
  }
}

const ID = '"id"\\s*:\\s*(-?\\d{1,16}|"[^"\\\\]{1,100}")'
const VERSION = '"jsonrpc"\\s*:\\s*"2\\.0"'
const FIRST = new RegExp(`^\\s*\\{\\s*(?:${VERSION}\\s*,\\s*)?${ID}`)
const LAST = new RegExp(`${ID}\\s*(?:,\\s*${VERSION}\\s*)?\\}\\s*$`)

/** The id of the message itself is its first or its last key, beside the version. */
function idIn(head: string, tail: string): string {
  return (FIRST.exec(head) ?? LAST.exec(tail))?.[1] ?? 'null'
}

function tooLong(id: string, limit: number): string {
  const message = `The message is larger than ${limit} bytes. Send a path or an id instead of content.`
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":${JSON.stringify(message)}}}\n`
}
