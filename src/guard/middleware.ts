/**
 * The guard for models that live in the process: a middleware of the AI SDK for `wrapLanguageModel`.
 * Types are structural: the AI SDK is not imported, and its versions 5 and 6 have the same shape here.
 */
import { repair } from '../core/index.ts'
import { inParts } from '../dialects/requests.ts'
import { aiSdk } from '../providers/in-process.ts'
import { rules } from '../rules/index.ts'
import type { Bytes } from './events.ts'
import { type GuardOptions, notify, settle } from './options.ts'
import { countsOf } from './request.ts'

const encoder = new TextEncoder()

interface Params {
  readonly prompt: readonly unknown[]
}

interface Part {
  readonly type: string
}

/** What `wrapLanguageModel` wants of a middleware, as far as it is given here. */
export interface Middleware {
  readonly specificationVersion: 'v3'
  transformParams<P extends Params>(options: { params: P; model?: { modelId?: string } }): Promise<P>
  wrapStream<R extends { stream: ReadableStream }>(options: { doStream: () => PromiseLike<R> }): Promise<R>
}

/** Mends the prompt before the model sees it, and ends a stream that has no end with an error. */
export function middleware(options: Pick<GuardOptions, 'mode' | 'strict' | 'repair' | 'onEvent'> = {}): Middleware {
  const settings = settle(options)
  return {
    specificationVersion: 'v3',
    async transformParams({ params, model }) {
      const about = { request: ++settings.seen.requests, provider: 'ai-sdk', dialect: 'ai-sdk' }
      const named = model?.modelId === undefined ? about : { ...about, model: model.modelId }
      if (settings.mode === 'off') return params
      try {
        const { findings, remaining, prompt, edits } = mended(params.prompt, settings)
        const counts = countsOf(findings)
        const messages = params.prompt.length
        if (edits === 0 || settings.mode === 'lint') {
          if (Object.keys(counts).length > 0) notify(settings, { ...named, type: 'found', findings: counts, messages })
          return params
        }
        const bytes = bytesOf(params.prompt, prompt)
        const what = { findings: counts, left: countsOf(remaining), edits, messages, bytes, way: 'spliced' as const }
        notify(settings, { ...named, type: 'repaired', ...what })
        return { ...params, prompt }
      } catch (error) {
        if (settings.strict) throw error
        const name = error instanceof Error ? error.name : typeof error
        notify(settings, { ...named, type: 'failed', step: 'repair', error: name })
        return params
      }
    },
    async wrapStream({ doStream }) {
      const result = await doStream()
      return settings.mode === 'off' ? result : { ...result, stream: result.stream.pipeThrough(ending()) }
    },
  }
}

function mended(given: readonly unknown[], { repair: how }: GuardOptions) {
  const target = { service: aiSdk.serves[0]!, rules, ...how }
  const { value, patch, findings, remaining } = repair(given, target)
  const known = new Set(given)
  const prompt = value.map((message) => (known.has(message) ? message : inParts(message)))
  return { prompt, edits: patch.length, findings, remaining }
}

/** As JSON would have it: there are no bytes yet. */
function bytesOf(was: readonly unknown[], now: readonly unknown[]): Bytes {
  const [given, sent] = [encoder.encode(JSON.stringify(was)), encoder.encode(JSON.stringify(now))]
  let prefix = 0
  while (prefix < given.length && given[prefix] === sent[prefix]) prefix++
  return { given: given.length, sent: sent.length, prefix, lost: given.length - prefix }
}

function ending(): TransformStream<Part, unknown> {
  let ended = false
  return new TransformStream({
    transform(part, controller) {
      ended ||= part.type === 'finish' || part.type === 'error'
      controller.enqueue(part)
    },
    flush(controller) {
      if (!ended) controller.enqueue({ type: 'error', error: new Error('The stream ended before the answer did.') })
    },
  })
}
