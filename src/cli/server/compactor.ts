/** Compaction for the session API, and before each turn in append mode. Uses a digest, no model. */
import {
  type CompactOptions,
  type CompactSessionOptions,
  compactSession,
  estimateTokens,
  type Plan,
  plan,
  tokensAround,
} from '../../compact.ts'
import { checkOptions, type OptionTable } from '../../core/options.ts'
import type { CompactionOutcome, Compactor, NextRequest } from '../../gateway/index.ts'
import { named } from '../../target.ts'

/** For the session API only. */
export const compactor: Compactor = {
  async plan(session, { provider, dialect, model }, options) {
    const { history } = await session.view()
    const target = { provider, dialect, ...(model === undefined ? {} : { model }), ...checkedOptions(options) }
    return withoutPatch(
      plan(history, named<CompactOptions>({ ...target, strategies: { summary: { method: 'digest' } } })),
    )
  },
  async compact(session, _about, options) {
    const {
      changesAnything,
      why,
      plan: made,
      position,
      receipt,
    } = await compactSession(session, checkedOptions(options))
    return { ...(made ? withoutPatch(made) : {}), changesAnything, why, position, receipt }
  },
}

/** Also compacts a conversation in append mode when it is due, with one budget and one list of pins for all. */
export function compactorForAppend(
  options: Pick<CompactSessionOptions, 'budget' | 'pins' | 'strategies'> = {},
): Compactor {
  return {
    ...compactor,
    async shorten(session, _about, next): Promise<CompactionOutcome> {
      try {
        const { changesAnything, why, receipt, position } = await compactSession(session, {
          ...options,
          ...sentWith(next),
        })
        return {
          changesAnything,
          why,
          ...(receipt ? { receipt: { ...receipt } } : {}),
          ...(position === undefined ? {} : { position }),
        }
      } catch (error) {
        // The request is sent with the unchanged history: a long conversation is better than none.
        return {
          changesAnything: false,
          why: [{ code: 'failed', message: String((error as Error | undefined)?.message ?? error) }],
        }
      }
    },
  }
}

/** Instructions, tools and new messages of the request also count against the context window. */
function sentWith({ body, usage, now, lastRequestAt, signal }: NextRequest): CompactSessionOptions {
  const messages = body['messages'] ?? body['input'] ?? body['contents']
  const text = typeof messages === 'string' ? messages : JSON.stringify(messages)
  const prompt = text === undefined ? 0 : estimateTokens(text)
  return {
    around: tokensAround(body),
    coming: prompt,
    ...(usage ? { usage } : {}),
    ...(now === undefined ? {} : { now }),
    ...(lastRequestAt === undefined ? {} : { lastRequestAt }),
    ...(signal ? { signal } : {}),
  }
}

/** `force`: a compaction that is not due. */
const OPTIONS: OptionTable<Pick<CompactSessionOptions, 'budget' | 'pins' | 'force'>> = {
  budget: 'object',
  pins: 'strings',
  force: 'boolean',
}

function checkedOptions(options: Readonly<Record<string, unknown>>): CompactSessionOptions {
  checkOptions('a compaction', options, OPTIONS)
  return options
}

/** A plan without its patch, which contains messages of the history. */
function withoutPatch({ changesAnything, why, steps, tokens, fits, cache, breakEven }: Plan): Partial<Plan> {
  return { changesAnything, why, steps: steps.map(({ instead: _, ...step }) => step), tokens, fits, cache, breakEven }
}
