/**
 * Asks a language model of the AI SDK once, in the process: there is no HTTP request, so there is no guard. Types are
 * structural, so the SDK is not imported; specifications v2 and v3 are alike here.
 */
import { isObject, own, type Reply } from '../core/index.ts'
import { ModelParts } from '../dialects/ai-sdk/reply.ts'
import { modelOptions } from '../dialects/ai-sdk/request.ts'
import type { Delta, RequestInput } from '../dialects/request.ts'

/** A language model of the AI SDK, as far as it is used here. */
export interface LanguageModel {
  readonly modelId: string
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own options, of whichever version.
  doStream(options: any): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

export function isModel(model: unknown): model is LanguageModel {
  return typeof own(model, 'doStream') === 'function'
}

/** Asks the model; calls `alive` for every part. An error of its stream ends the reply. */
export async function askModel(
  model: LanguageModel,
  input: Omit<RequestInput, 'model'>,
  to: { readonly signal: AbortSignal; onEvent(delta: Delta): void },
  alive: () => void,
): Promise<Reply> {
  const { stream } = await model.doStream({ ...modelOptions(input), abortSignal: to.signal })
  const answer = new ModelParts()
  const reader = stream.getReader()
  const leave = () => void reader.cancel(to.signal.reason).catch(() => {})
  to.signal.addEventListener('abort', leave)
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      alive()
      if (!isObject(next.value)) continue
      answer.take(next.value)
      const { type, delta } = next.value
      const kind = type === 'text-delta' ? 'text' : type === 'reasoning-delta' ? 'reasoning' : undefined
      if (kind && typeof delta === 'string' && delta !== '') to.onEvent({ type: kind, text: delta })
    }
  } catch (error) {
    answer.error ??= error
  } finally {
    to.signal.removeEventListener('abort', leave)
  }
  return answer.reply()
}
