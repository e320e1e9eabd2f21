/**
 * Puts kept reasoning back where the provider had it. A call whose client sent any reasoning of its own is left alone.
 */
import { isObject, type JsonObject, own, type Part, type Transcript, withKey, withValueAt } from '../../core/index.ts'
import type { CallReasoning } from './memory.ts'
import { hasValue } from './policy.ts'

/** What may be restored in this request. */
export interface Allowed {
  readonly blocks: boolean
  readonly messageKeys: readonly string[]
}

/** From the last call to the first, so that earlier positions do not change. */
export class Restoration {
  readonly messages: unknown[]
  /** Calls that got reasoning back. */
  calls = 0
  private readonly transcript: Transcript
  private readonly allowed: Allowed

  constructor(transcript: Transcript, allowed: Allowed) {
    this.transcript = transcript
    this.allowed = allowed
    this.messages = [...transcript.history]
  }

  restore(call: Part, reasoning: CallReasoning): void {
    const done = [this.onCall(call, reasoning), this.onMessage(call, reasoning), this.beforeCall(call, reasoning)]
    if (done.includes(true)) this.calls++
  }

  private onCall(call: Part, { signature, callFields }: CallReasoning): boolean {
    if (!isObject(call.value)) return false
    const path = call.index < 0 ? call.list : [...call.list, call.index]
    if (signature !== undefined && !hasValue(call.signature)) {
      const key = call.type === 'function_call' ? 'thought_signature' : 'thoughtSignature'
      this.change(call, (message) => withValueAt(message, path, withKey(call.value as object, key, signature)))
      return true
    }
    if (!callFields || hasValue(own(call.value, 'extra_content'))) return false
    this.change(call, (message) => withValueAt(message, path, { ...(call.value as object), ...callFields }))
    return true
  }

  private onMessage(call: Part, { messageFields = {} }: CallReasoning): boolean {
    const { transcript, allowed } = this
    const message = transcript.history[call.message]
    const { reasoningKeys = [] } = transcript.dialect
    if (reasoningKeys.some((key) => hasValue(own(message, key)))) return false
    const fields = Object.entries(messageFields).filter(([key]) => allowed.messageKeys.includes(key))
    if (fields.length === 0) return false
    this.change(call, (now) => ({ ...(now as JsonObject), ...Object.fromEntries(fields) }))
    return true
  }

  private beforeCall(call: Part, { blocks = [] }: CallReasoning): boolean {
    const segment = this.allowed.blocks && blocks.length > 0 ? segmentBefore(call, this.transcript) : undefined
    if (!segment) return false
    for (const { value, after } of [...blocks].reverse()) this.insert(segment[after] ?? call, value)
    return true
  }

  private insert(at: Part, value: unknown): void {
    if (this.transcript.dialect.items) {
      this.messages.splice(at.message, 0, value)
      return
    }
    this.change(at, (message) => {
      const key = at.list[0] ?? this.transcript.contentKey
      const content = own(message, key)
      const list = Array.isArray(content) ? content : [{ type: 'text', text: content }]
      return withKey(message as object, key, list.toSpliced(Math.max(at.index, 0), 0, value))
    })
  }

  private change({ message }: Part, edit: (message: unknown) => unknown): void {
    this.messages[message] = edit(this.messages[message])
  }
}

/** The parts between a call and the call before it, in one run of assistant messages. Undefined: one is reasoning. */
function segmentBefore(call: Part, transcript: Transcript): readonly Part[] | undefined {
  const { parts } = transcript
  const segment: Part[] = []
  for (let i = parts.indexOf(call) - 1, last = call.message; i >= 0; i--) {
    const part = parts[i]!
    const isAdjacent = part.message === last || part.message === last - 1
    if (!isAdjacent || !transcript.isAssistant(part.message) || (part.kind === 'call' && !part.server)) break
    if (part.kind === 'reasoning') return undefined
    segment.unshift(part)
    last = part.message
  }
  return segment
}
