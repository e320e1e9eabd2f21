/**
 * A reply in the `ai-sdk` dialect, assembled from the stream parts of a language model of the AI SDK, v2 or v3.
 * The SDK is not imported.
 */
import { wordOf } from '../../core/index.ts'
import { isObject, type JsonObject, own } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { argumentsOf, type Calls, sort } from '../replies/calls.ts'

type Piece = { type: 'text' | 'reasoning'; text: string; providerOptions?: unknown } | JsonObject

/** Takes the parts of one stream in order. Call `reply` at its end, or after it broke off. */
export class ModelParts {
  error: unknown
  private readonly pieces: Piece[] = []
  private readonly open = new Map<unknown, { text: string; providerOptions?: unknown }>()
  private readonly calls: Calls = { calls: [], broken: [] }
  private finish: JsonObject | undefined

  take(part: JsonObject): void {
    const { type } = part
    if (type === 'text-delta' || type === 'reasoning-delta')
      this.add(part, type === 'text-delta' ? 'text' : 'reasoning')
    else if (type === 'reasoning-end' || type === 'text-end') this.sign(part)
    else if (type === 'tool-call' && part['providerExecuted'] !== true) this.call(part)
    else if (type === 'finish') this.finish = part
    else if (type === 'error') this.error ??= part['error'] ?? 'failed'
  }

  reply(): Reply {
    const reason = own(this.finish?.['finishReason'], 'unified') ?? this.finish?.['finishReason']
    const complete = this.error === undefined && this.finish !== undefined && reason !== 'error'
    // Unfinished reasoning has no signature, and calls of an incomplete reply are not run.
    const kept = this.pieces.filter((piece) => (complete || piece['type'] === 'text') && piece['text'] !== '')
    const usage = this.finish?.['usage']
    const [input, output] = [tokens(own(usage, 'inputTokens')), tokens(own(usage, 'outputTokens'))]
    return {
      messages: kept.length > 0 ? [{ role: 'assistant', content: kept }] : [],
      complete,
      ...(complete ? {} : { why: this.error === undefined ? ('cut' as const) : ('error' as const), error: this.error }),
      calls: complete ? this.calls.calls : [],
      broken: this.calls.broken,
      usage: { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) },
    }
  }

  private add(part: JsonObject, type: 'text' | 'reasoning'): void {
    let piece = this.open.get(part['id'])
    if (!piece) {
      piece = { text: '' }
      this.open.set(part['id'], piece)
      this.pieces.push(Object.assign(piece, { type }))
    }
    piece.text += wordOf(part['delta'] ?? '')
    this.sign(part)
  }

  private sign({ id, providerMetadata }: JsonObject): void {
    const piece = this.open.get(id)
    if (piece && providerMetadata !== undefined) piece.providerOptions = providerMetadata
  }

  private call({ toolCallId, toolName, input, providerMetadata }: JsonObject): void {
    const text = wordOf(input)
    const draft = { id: toolCallId, name: toolName, text, arguments: argumentsOf(text), ended: true }
    if (!sort(draft, this.calls)) return
    const signature = providerMetadata === undefined ? {} : { providerOptions: providerMetadata }
    this.pieces.push({ type: 'tool-call', toolCallId, toolName, input: draft.arguments, ...signature })
  }
}

/** v2 has a number, v3 an object with the total. */
function tokens(count: unknown): number | undefined {
  const total = isObject(count) ? count['total'] : count
  return typeof total === 'number' ? total : undefined
}
