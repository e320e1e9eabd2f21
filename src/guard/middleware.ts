/**
 * The guard for models in the process: a middleware of the AI SDK for `wrapLanguageModel`. Types are structural: the AI
 * SDK is not imported, and its versions 5 and 6 have the same shape here.
 */
import { changedRounds, repair } from '../core/index.ts'
import type { OptionTable } from '../core/options.ts'
import { inParts } from '../dialects/ai-sdk/request.ts'
import { aiSdk } from '../providers/in-process.ts'
import { rules } from '../rules/index.ts'
import { roundsWithErrors } from './affected-rounds.ts'
import { changesOf } from './changes-in-words.ts'
import type { ByteCounts } from './events.ts'
import { GUARD_OPTIONS, type GuardOptions, notify, resolveOptions } from './options.ts'
import { countByRule } from './repair-body.ts'
import { streamCut } from './streams/index.ts'

const encoder = new TextEncoder()

interface Params {
  readonly prompt: readonly unknown[]
}

interface Part {
  readonly type: string
}

/** The parts of a middleware for `wrapLanguageModel` that are used here. */
export interface Middleware {
  readonly specificationVersion: 'v3'
  transformParams<P extends Params>(options: { params: P; model?: { modelId?: string } }): Promise<P>
  wrapStream<R extends { stream: ReadableStream }>(options: { doStream: () => PromiseLike<R> }): Promise<R>
}

type MiddlewareOptions = Pick<GuardOptions, 'level' | 'failClosed' | 'repair' | 'onEvent'>
const { level, failClosed, repair: repairing, onEvent } = GUARD_OPTIONS
const OPTIONS: OptionTable<MiddlewareOptions> = { level, failClosed, repair: repairing, onEvent }

/** Repairs the prompt before the model sees it, and breaks off a stream that ends without its `finish`. */
export function middleware(options: MiddlewareOptions = {}): Middleware {
  const settings = resolveOptions(options, 'middleware', OPTIONS)
  return {
    specificationVersion: 'v3',
    async transformParams({ params, model }) {
      const about = { request: ++settings.state.requests, provider: 'ai-sdk', dialect: 'ai-sdk' }
      const named = model?.modelId === undefined ? about : { ...about, model: model.modelId }
      if (settings.level === 'off') return params
      try {
        const { findings, remaining, prompt, patch } = repairPrompt(params.prompt, settings)
        const counts = countByRule(findings)
        const messages = params.prompt.length
        if (patch.length === 0 || settings.level === 'lint') {
          const rounds = roundsWithErrors(findings)
          if (findings.length > 0) notify(settings, { ...named, type: 'found', findings: counts, rounds, messages })
          return params
        }
        const bytes = bytesOf(params.prompt, prompt)
        const { dialect } = aiSdk.serves[0]!
        const changed = { changes: changesOf(patch, dialect), rounds: changedRounds(params.prompt, prompt, dialect) }
        const counted = { findings: counts, remaining: countByRule(remaining), edits: patch.length, messages, bytes }
        const what = { ...counted, ...changed, way: 'spliced' as const }
        notify(settings, { ...named, type: 'repaired', ...what })
        return { ...params, prompt }
      } catch (error) {
        if (settings.failClosed) throw error
        const name = error instanceof Error ? error.name : typeof error
        notify(settings, { ...named, type: 'failed', step: 'repair', error: name })
        return params
      }
    },
    async wrapStream({ doStream }) {
      const about = { request: settings.state.requests, provider: 'ai-sdk', dialect: 'ai-sdk' }
      const result = await doStream()
      if (settings.level === 'off') return result
      const cut = (output: boolean) => notify(settings, { ...about, type: 'incomplete', why: 'cut', output })
      return { ...result, stream: result.stream.pipeThrough(ending(cut)) }
    },
  }
}

function repairPrompt(given: readonly unknown[], { repair: how }: Pick<GuardOptions, 'repair'>) {
  const target = { service: aiSdk.serves[0]!, provider: aiSdk.id, rules, ...how }
  const { value, patch, findings, remaining } = repair(given, target)
  const known = new Set(given)
  const prompt = value.map((message) => (known.has(message) ? message : inParts(message)))
  return { prompt, patch, findings, remaining }
}

/** Counted as JSON: there are no bytes yet. */
function bytesOf(was: readonly unknown[], now: readonly unknown[]): ByteCounts {
  const [given, sent] = [encoder.encode(JSON.stringify(was)), encoder.encode(JSON.stringify(now))]
  let prefix = 0
  while (prefix < given.length && given[prefix] === sent[prefix]) prefix++
  return { given: given.length, sent: sent.length, prefix, lost: given.length - prefix }
}

/** A stream that ends without a `finish` or an `error` has lost its connection. */
function ending(cut: (output: boolean) => void): TransformStream<Part, unknown> {
  let ended = false
  let output = false
  return new TransformStream({
    transform(part, controller) {
      ended ||= part.type === 'finish' || part.type === 'error'
      output ||= OUTPUT.test(part.type)
      controller.enqueue(part)
    },
    flush(controller) {
      if (ended) return
      cut(output)
      controller.error(streamCut('the stream ended before its terminal event'))
    },
  })
}

/** Parts that count as output. */
const OUTPUT = /^(?:text|reasoning|tool|file|source)/
