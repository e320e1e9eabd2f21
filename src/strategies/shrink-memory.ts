/**
 * What was shrunk, and what it was before: so that the next request says the same bytes and the original can be had again.
 */
import { checkOptions, type OptionTable } from '../core/options.ts'

/** What happened to one result: decided once, by the id of its call and the hash of the original. */
export interface Shrunk {
  readonly callId: string
  /** Hash of the original content. */
  readonly hash: string
  /** Hash of what is sent instead. */
  readonly nowHash: string
  /** The content that is sent instead, in its dialect's shape. */
  readonly now: unknown
  /** The content as it was. */
  readonly original: unknown
}

/** Where decisions live. The guard keeps one in memory; a session may keep it durably. Every method is cheap and synchronous. */
export interface Memory {
  /** Whether anything was decided about results of this call. */
  knows(callId: string): boolean
  /** The decision about the result with this content, be it the original or what was sent instead. */
  shrunk(callId: string, hash: string): Shrunk | undefined
  remember(shrunk: Shrunk): void
  /** The originals of a call, oldest first: an id may have been used again. */
  recall(callId: string): readonly unknown[]
  /** A decision about something else (a cut, a setting), by a key derived from what it was about. */
  note(key: string): unknown
  keep(key: string, value: unknown): void
  /** Nothing was ever decided: a request need not be looked at. */
  readonly empty: boolean
}

export interface MemoryOptions {
  /** How many decisions are kept; the oldest go first. Default 2,000. */
  readonly most?: number
  /** How many bytes of originals are kept; the oldest decisions go first, with their originals. Default 64 MiB. */
  readonly bytes?: number
}

const MEMORY: OptionTable<MemoryOptions> = { most: 'number', bytes: 'number' }

/** A memory of this process. */
export function shrinkMemory(options: MemoryOptions = {}): Memory {
  checkOptions('shrinkMemory', options, MEMORY)
  return new Held(options)
}

class Held implements Memory {
  readonly #most: number
  readonly #bytes: number
  readonly #byCall = new Map<string, Shrunk[]>()
  readonly #order: { readonly callId: string; readonly hash: string; readonly bytes: number }[] = []
  readonly #notes = new Map<string, unknown>()
  #held = 0

  constructor({ most = 2000, bytes = 64 * 1024 * 1024 }: MemoryOptions) {
    this.#most = most
    this.#bytes = bytes
  }

  get empty(): boolean {
    return this.#byCall.size === 0 && this.#notes.size === 0
  }

  knows(callId: string): boolean {
    return this.#byCall.has(callId)
  }

  shrunk(callId: string, hash: string): Shrunk | undefined {
    return this.#byCall.get(callId)?.find((one) => one.hash === hash || one.nowHash === hash)
  }

  recall(callId: string): readonly unknown[] {
    return (this.#byCall.get(callId) ?? []).map(({ original }) => original)
  }

  remember(shrunk: Shrunk): void {
    const list = this.#byCall.get(shrunk.callId) ?? []
    const at = list.findIndex(({ hash }) => hash === shrunk.hash)
    if (at >= 0) {
      list[at] = shrunk
      return
    }
    list.push(shrunk)
    this.#byCall.set(shrunk.callId, list)
    const bytes = 2 * textOf(shrunk.original).length
    this.#order.push({ callId: shrunk.callId, hash: shrunk.hash, bytes })
    this.#held += bytes
    while (this.#order.length > 1 && (this.#order.length > this.#most || this.#held > this.#bytes)) this.#forget()
  }

  note(key: string): unknown {
    return this.#notes.get(key)
  }

  keep(key: string, value: unknown): void {
    this.#notes.delete(key)
    this.#notes.set(key, value)
    const [oldest] = this.#notes.keys()
    if (this.#notes.size > this.#most && oldest !== undefined) this.#notes.delete(oldest)
  }

  #forget(): void {
    const oldest = this.#order.shift()
    if (!oldest) return
    this.#held -= oldest.bytes
    const rest = (this.#byCall.get(oldest.callId) ?? []).filter(({ hash }) => hash !== oldest.hash)
    if (rest.length > 0) this.#byCall.set(oldest.callId, rest)
    else this.#byCall.delete(oldest.callId)
  }
}

/** Tells two contents apart. Not cryptographic: it is only ever asked beside the id of a call. */
export function hashOf(content: unknown): string {
  const text = textOf(content)
  let [a, b] = [0xdeadbeef ^ text.length, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x9e3779b1)
    b = Math.imul(b ^ code, 0x5f356495)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return `${text.length.toString(36)}-${(a >>> 0).toString(36)}-${(b >>> 0).toString(36)}`
}

function textOf(content: unknown): string {
  try {
    return typeof content === 'string' ? content : (JSON.stringify(content) ?? '')
  } catch {
    return ''
  }
}
