/** Compaction for the session API, and before each turn in append mode. Uses a digest, no model. */
import {
  type BudgetOptions,
  type CompactOptions,
  type CompactSessionOptions,
  compactSession,
  estimateTokens,
  type Plan,
  plan,
  tokensAround,
} from '../../compact.ts'
import { isObject, SutureError } from '../../core/index.ts'
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

/** Checks the options of a caller: `budget`, `pins`, and `force` for a compaction that is not due. */
function checkedOptions({ budget, pins, force, ...more }: Readonly<Record<string, unknown>>): CompactSessionOptions {
  const [odd] = Object.keys(more)
  if (odd !== undefined) throw wrong(`There is no "${odd}": use "budget", "pins" or "force".`)
  if (budget !== undefined && !isObject(budget)) throw wrong('"budget" is an object, as in {"limit": 60000}.')
  if (pins !== undefined && !(Array.isArray(pins) && pins.every((pin) => typeof pin === 'string')))
    throw wrong('"pins" is a list of texts.')
  if (force !== undefined && typeof force !== 'boolean') throw wrong('"force" is true or false.')
  return {
    ...(budget === undefined ? {} : { budget: budget as BudgetOptions }),
    ...(pins === undefined ? {} : { pins }),
    ...(force ? { force } : {}),
  }
}

function wrong(message: string): SutureError {
  return new SutureError('bad-option', message, {})
}

/** A plan without its patch, which contains messages of the history. */
function withoutPatch({ changesAnything, why, steps, tokens, fits, cache, breakEven }: Plan): Partial<Plan> {
  return { changesAnything, why, steps: steps.map(({ instead: _, ...step }) => step), tokens, fits, cache, breakEven }
}
