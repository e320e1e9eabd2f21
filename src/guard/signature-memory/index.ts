/**
 * Signature memory for one request: restores reasoning that its client dropped, and keeps the reasoning of its reply.
 * Only what this provider sent to this caller for this model is restored. Nothing is invented.
 */
import { firstUnknown, type JsonObject, type Reply, Transcript } from '../../core/index.ts'
import { hashOf } from '../../strategies/shrink.ts'
import type { Endpoint } from '../endpoint.ts'
import type { GuardRequest } from '../transport.ts'
import { type CallPlace, keyedCalls, START } from './call-keys.ts'
import { reasoningByCall } from './keep.ts'
import type { SignatureMemory } from './memory.ts'
import { messageKeys, takesBlocks } from './policy.ts'
import { Restoration } from './restore.ts'

export { SignatureMemory } from './memory.ts'

type Requester = Pick<GuardRequest, 'endpoint' | 'headers' | 'scope'>

export class RequestReasoning {
  private readonly memory: SignatureMemory
  private readonly endpoint: Endpoint
  private readonly scope: string
  /** The request without its history, for as long as the reply takes. */
  private readonly settings: JsonObject
  private place: CallPlace = START

  constructor(memory: SignatureMemory, request: Requester, model: string | undefined, body: JsonObject) {
    const { provider, service } = request.endpoint
    this.memory = memory
    this.endpoint = request.endpoint
    this.scope = JSON.stringify([scopeOf(request), provider, service.dialect.id, model ?? ''])
    this.settings = { store: body['store'] }
  }

  /** The body with reasoning restored, and for how many calls; the same body if there is nothing to restore. */
  restore(body: JsonObject): { readonly body: JsonObject; readonly calls: number } {
    const { service, provider } = this.endpoint
    const history = body[service.dialect.key]
    if (!Array.isArray(history)) return { body, calls: 0 }
    const transcript = new Transcript(history, service.dialect, { request: body })
    const { calls, end } = keyedCalls(transcript, START)
    this.place = end
    const allowed = { blocks: takesBlocks(service, body), messageKeys: messageKeys(service, provider) }
    const restoration = new Restoration(transcript, allowed)
    for (const { call, key } of calls.reverse()) {
      const kept = transcript.isAssistant(call.message) ? this.memory.get(this.scope + key) : undefined
      if (kept) restoration.restore(call, kept)
    }
    // Beside something new, missing reasoning may be meant.
    if (restoration.calls === 0 || firstUnknown(transcript) !== undefined) return { body, calls: 0 }
    return { body: { ...body, [service.dialect.key]: restoration.messages }, calls: restoration.calls }
  }

  /** Nothing is kept of a reply that broke off: its signatures may be missing. */
  keep({ complete, messages }: Reply): void {
    if (!complete || messages.length === 0) return
    const { service, provider } = this.endpoint
    const about = { service, provider, settings: this.settings, place: this.place }
    for (const [key, reasoning] of reasoningByCall(messages, about)) this.memory.set(this.scope + key, reasoning)
  }
}

const CREDENTIALS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key']

/** Separates callers: one never gets what the reply to another contained. */
function scopeOf(request: Requester): string {
  return request.scope?.() ?? hashOf(CREDENTIALS.map((name) => request.headers.get(name) ?? '').join('\n'))
}
