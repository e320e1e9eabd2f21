/**
 * Reasoning that providers attached to their calls, by call. Bounded: what was not used for the longest time is dropped
 * first.
 */
import type { JsonObject } from '../../core/index.ts'

/** What one call came with, as the provider sent it. */
export interface CallReasoning {
  /** Signature on the call itself (Gemini). */
  readonly signature?: unknown
  /** Fields of the call that carry a signature (`extra_content` of Gemini's OpenAI endpoint). */
  readonly callFields?: JsonObject
  /** Fields of the message (`reasoning_content`). */
  readonly messageFields?: JsonObject
  /** Blocks or items before the call; `after`: number of other parts since the call before it. */
  readonly blocks?: readonly { readonly value: unknown; readonly after: number }[]
}

export interface SignatureMemoryLimits {
  readonly maxEntries: number
  readonly maxBytes: number
}

const LIMITS: SignatureMemoryLimits = { maxEntries: 20_000, maxBytes: 64 * 1024 * 1024 }

interface Entry {
  readonly reasoning: CallReasoning
  readonly bytes: number
}

export class SignatureMemory {
  private readonly limits: SignatureMemoryLimits
  private readonly entries = new Map<string, Entry>()
  private bytes = 0

  constructor(limits: SignatureMemoryLimits = LIMITS) {
    this.limits = limits
  }

  get size(): number {
    return this.entries.size
  }

  get(key: string): CallReasoning | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.reasoning
  }

  set(key: string, reasoning: CallReasoning): void {
    this.drop(key)
    const bytes = 2 * (key.length + JSON.stringify(reasoning).length)
    if (bytes > this.limits.maxBytes) return
    this.entries.set(key, { reasoning, bytes })
    this.bytes += bytes
    while (this.entries.size > this.limits.maxEntries || this.bytes > this.limits.maxBytes) {
      const [oldest] = this.entries.keys()
      this.drop(oldest!)
    }
  }

  private drop(key: string): void {
    this.bytes -= this.entries.get(key)?.bytes ?? 0
    this.entries.delete(key)
  }
}
