/**
 * What all assemblers share: frames that are not JSON, errors, and whether a reply is complete.
 * Each dialect reads its own events. Nothing that a provider sends makes an assembler throw.
 */
import { isObject, type JsonObject, own } from '../../core/json.ts'
import type { Assembler, Frame, Reply, ReplyUsage } from '../../core/reply.ts'
import { tryParseJson } from '../../core/spelling.ts'
import type { Calls } from './calls.ts'

export abstract class Assembly implements Assembler {
  output = false
  done = false
  error: unknown
  protected stop: string | undefined
  protected id: string | undefined
  protected model: string | undefined
  protected usage: ReplyUsage | undefined
  #malformed = false

  /** One event of the dialect. */
  protected abstract take(value: JsonObject, event: string | undefined): void

  /** The messages so far; adds their calls to `calls`. Calls of an incomplete reply are broken. */
  protected abstract settle(complete: boolean, calls: Calls): readonly unknown[]

  push(frame: Frame): void {
    switch (frame.kind) {
      case undefined:
        this.#plain(frame)
        break
      case 'exception':
        this.fail({ [frame.event ?? 'exception']: tryParseJson(frame.data) ?? frame.data })
        break
      case 'bare':
        this.#bare(frame.data)
        break
      case 'broken':
        this.#malformed = true
    }
  }

  /** Takes a body that is not streamed. */
  whole(value: JsonObject): void {
    this.take(value, undefined)
  }

  /** The reply of a body that is not streamed. */
  replyTo(body: JsonObject): Reply {
    this.whole(body)
    return this.end()
  }

  end(): Reply {
    const why = this.#why()
    const complete = why === undefined
    const calls: Calls = { calls: [], broken: [] }
    const messages = this.settle(complete, calls)
    const { error, stop, usage, id, model } = this
    return { messages, complete, ...calls, ...known({ why, error, stop, usage, id, model }) }
  }

  /** The first error is the cause; later ones follow from it. */
  protected fail(error: unknown): void {
    if (this.error === undefined) this.error = error ?? null
  }

  protected malformed(): void {
    this.#malformed = true
  }

  /** Whether every part that began has ended. Overridden where the terminal marker does not imply that. */
  protected get settled(): boolean {
    return true
  }

  #why(): Reply['why'] {
    if (this.error !== undefined) return 'error'
    if (this.#malformed) return 'malformed'
    return this.done && this.settled ? undefined : 'cut'
  }

  #plain(frame: Frame): void {
    const value = tryParseJson(frame.data)
    if (isObject(value)) this.take(value, frame.event)
    else if (Array.isArray(value)) for (const one of value) if (isObject(one)) this.take(one, frame.event)
    if (value === undefined) this.#unread(frame.data)
  }

  #unread(data: string): void {
    const text = data.trim()
    if (text === '' || text === '[DONE]') return
    // Some relays append an error event to an unfinished data line.
    const glued = tryParseJson(text.slice(text.lastIndexOf('\n') + 1))
    if (isObject(glued) && isError(glued)) this.fail(glued)
    else this.#malformed = true
  }

  #bare(data: string): void {
    const value = tryParseJson(data)
    const first = Array.isArray(value) ? value[0] : value
    if (isObject(first) && isError(first)) this.fail(first)
  }
}

/** Whether a body is an error in a shape that providers or relays use. */
export function isError(value: JsonObject): boolean {
  const { error } = value
  if (error !== undefined && error !== null && error !== false) return true
  if (value['type'] === 'error' || value['object'] === 'error') return true
  // Cerebras: message, type and code, without any `error` around them.
  return typeof value['message'] === 'string' && 'code' in value && !('choices' in value)
}

/** The reply for a body that is not an answer. */
export function notAnAnswer(body: unknown): Reply {
  const failed = isObject(body) && (isError(body) || typeof body['message'] === 'string')
  const why = failed ? ({ why: 'error', error: body } as const) : ({ why: 'malformed' } as const)
  return { messages: [], complete: false, ...why, calls: [], broken: [] }
}

export function textAt(value: unknown, key: string): string | undefined {
  const text = own(value, key)
  return typeof text === 'string' ? text : undefined
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const list = own(value, key)
  return Array.isArray(list) ? list : []
}

/** The number of tokens under the first of these keys that has a number. */
export function tokensAt(value: unknown, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const count = own(value, key)
    if (typeof count === 'number') return count
  }
  return undefined
}

/** The counts that are known; undefined if neither input nor output is. */
export function usageOf(
  input: number | undefined,
  output: number | undefined,
  cached: number | undefined,
  written?: number,
): ReplyUsage | undefined {
  if (input === undefined && output === undefined) return undefined
  return known({ input, output, cached, written })
}

/** The fields without those that are undefined. */
function known<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T> as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>
  }
}
