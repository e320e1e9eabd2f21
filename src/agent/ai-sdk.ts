/**
 * A language model of the AI SDK as the model of a turn: in the process, without a wire of its own.
 * Types are structural, so the SDK is not imported; specifications v2 and v3 are alike here.
 */
import { isObject, type JsonObject, own, type Reply } from '../core/index.ts'
import type { Asked } from '../dialects/requests.ts'
import type { Heard, Listener } from './ask.ts'

export interface LanguageModel {
  readonly modelId: string
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own options, of whichever version.
  doStream(options: any): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

export function isModel(model: unknown): model is LanguageModel {
  return typeof own(model, 'doStream') === 'function'
}

type Answer = Omit<Asked, 'model'>

/** Asks the model. What its stream throws breaks the answer off. */
export async function heardFrom(model: LanguageModel, asked: Answer, to: Listener, alive: () => void): Promise<Heard> {
  const { stream } = await model.doStream({ ...optionsOf(asked), abortSignal: to.signal })
  const answer = new Assembled()
  const reader = stream.getReader()
  const leave = () => void reader.cancel(to.signal.reason).catch(() => {})
  to.signal.addEventListener('abort', leave)
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      alive()
      if (!isObject(next.value)) continue
      answer.take(next.value)
      const { type, delta } = next.value
      const said = type === 'text-delta' ? 'text' : type === 'reasoning-delta' ? 'reasoning' : undefined
      if (said && typeof delta === 'string' && delta !== '') to.delta({ type: said, text: delta })
    }
  } catch (error) {
    answer.error ??= error
  } finally {
    to.signal.removeEventListener('abort', leave)
  }
  return { reply: answer.reply(), tooLong: false }
}

function optionsOf({ history, system, tools, answerOnly }: Answer): object {
  const before = system === undefined ? [] : [{ role: 'system', content: system }]
  return {
    prompt: [...before, ...history].map(inParts),
    includeRawChunks: false,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ schema, ...tool }) => ({ type: 'function', ...tool, inputSchema: schema })),
          toolChoice: { type: answerOnly ? 'none' : 'auto' },
        }),
  }
}

/** A model's prompt has parts where messages may have plain text. */
function inParts(message: unknown): unknown {
  const content = own(message, 'content')
  if (typeof content !== 'string' || own(message, 'role') === 'system') return message
  return { ...(message as JsonObject), content: [{ type: 'text', text: content }] }
}

type Piece = { type: 'text' | 'reasoning'; text: string; providerOptions?: unknown } | JsonObject

class Assembled {
  error: unknown
  private readonly pieces: Piece[] = []
  private readonly open = new Map<unknown, { text: string; providerOptions?: unknown }>()
  private readonly calls: { id: string; name: string; arguments: unknown; text: string }[] = []
  private readonly broken: { id: string; name: string; text: string; why: 'arguments' }[] = []
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
    // Reasoning that did not end is not signed, and calls of half an answer are not run.
    const kept = this.pieces.filter((piece) => (complete || piece['type'] === 'text') && piece['text'] !== '')
    const usage = this.finish?.['usage']
    const [input, output] = [tokens(own(usage, 'inputTokens')), tokens(own(usage, 'outputTokens'))]
    return {
      messages: kept.length > 0 ? [{ role: 'assistant', content: kept }] : [],
      complete,
      ...(complete ? {} : { why: this.error === undefined ? ('cut' as const) : ('error' as const), error: this.error }),
      calls: complete ? this.calls : [],
      broken: this.broken,
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
    piece.text += String(part['delta'] ?? '')
    this.sign(part)
  }

  private sign({ id, providerMetadata }: JsonObject): void {
    const piece = this.open.get(id)
    if (piece && providerMetadata !== undefined) piece.providerOptions = providerMetadata
  }

  private call({ toolCallId, toolName, input, providerMetadata }: JsonObject): void {
    const [id, name, text] = [String(toolCallId), String(toolName), String(input)]
    try {
      const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
      if (!isObject(value)) throw new TypeError('Arguments are an object.')
      this.calls.push({ id, name, arguments: value, text })
      const signed = providerMetadata === undefined ? {} : { providerOptions: providerMetadata }
      this.pieces.push({ type: 'tool-call', toolCallId: id, toolName: name, input: value, ...signed })
    } catch {
      this.broken.push({ id, name, text, why: 'arguments' })
    }
  }
}

/** v2 says a number, v3 an object with the total. */
function tokens(count: unknown): number | undefined {
  const total = isObject(count) ? count['total'] : count
  return typeof total === 'number' ? total : undefined
}
