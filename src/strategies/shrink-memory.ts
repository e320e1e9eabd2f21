/**
 * Remembers which results were shortened and their originals, so that the next request sends the same bytes and
 * originals can be restored.
 */
import { tryJsonText } from '../core/index.ts'
import { checkOptions, type OptionTable } from '../core/options.ts'

/** The decision about one result, by the id of its call and the hash of the original. */
export interface Shrunk {
  readonly callId: string
  /** Hash of the original content. */
  readonly hash: string
  /** Hash of what is sent instead. */
  readonly nowHash: string
  /** The content that is sent instead, in its dialect's shape. */
  readonly now: unknown
  /** The original content. */
  readonly original: unknown
}

/** Where decisions are stored. Every method is cheap and synchronous. */
export interface Memory {
  /** Whether there is a decision about results of this call. */
  knows(callId: string): boolean
  /** The decision about the result with this content: the original or the shortened one. */
  shrunk(callId: string, hash: string): Shrunk | undefined
  remember(shrunk: Shrunk): void
  /** The originals of a call, oldest first: ids may repeat. */
  recall(callId: string): readonly unknown[]
  /** Other decisions (a cut, a setting), by a key. */
  note(key: string): unknown
  keep(key: string, value: unknown): void
  /** There are no decisions. */
  readonly empty: boolean
}

/** Options of the memory of shortened results. */
export interface MemoryOptions {
  /** Maximum number of decisions; the oldest are dropped first. Default 2,000. */
  readonly maxEntries?: number
  /** Maximum bytes of originals; the oldest decisions are dropped first. Default 64 MiB. */
  readonly maxBytes?: number
}

const MEMORY: OptionTable<MemoryOptions> = { maxEntries: 'number', maxBytes: 'number' }

/** Keeps decisions in the memory of this process. */
export function shrinkMemory(options: MemoryOptions = {}): Memory {
  checkOptions('shrinkMemory', options, MEMORY)
  return new ProcessMemory(options)
}

class ProcessMemory implements Memory {
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #byCall = new Map<string, Shrunk[]>()
  readonly #order: { readonly callId: string; readonly hash: string; readonly bytes: number }[] = []
  readonly #notes = new Map<string, unknown>()
  #held = 0

  constructor({ maxEntries = 2000, maxBytes = 64 * 1024 * 1024 }: MemoryOptions) {
    this.#maxEntries = maxEntries
    this.#maxBytes = maxBytes
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
    while (this.#order.length > 1 && (this.#order.length > this.#maxEntries || this.#held > this.#maxBytes))
      this.#forget()
  }

  note(key: string): unknown {
    return this.#notes.get(key)
  }

  keep(key: string, value: unknown): void {
    this.#notes.delete(key)
    this.#notes.set(key, value)
    const [oldest] = this.#notes.keys()
    if (this.#notes.size > this.#maxEntries && oldest !== undefined) this.#notes.delete(oldest)
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

/** Not cryptographic: only used together with the id of a call. */
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
  return typeof content === 'string' ? content : (tryJsonText(content) ?? '')
}
