/**
 * Compaction behind the gateway: of its session API, when asked, and of kept conversations before they go on. It asks no model: what goes is said by a digest.
 */
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

/** Compacts when the session API is asked to. */
export const compactor: Compactor = {
  async plan(session, { provider, dialect, model }, options) {
    const { history } = await session.view()
    const target = { provider, dialect, ...(model === undefined ? {} : { model }), ...asked(options) }
    return shown(plan(history, named<CompactOptions>({ ...target, strategies: { summary: { method: 'digest' } } })))
  },
  async compact(session, _about, options) {
    const { changesAnything, why, plan: made, position, receipt } = await compactSession(session, asked(options))
    return { ...(made ? shown(made) : {}), changesAnything, why, position, receipt }
  },
}

/** The same, and kept conversations are made shorter by themselves when that is due: with a budget and pins for all of them. */
export function keepingShort(options: Pick<CompactSessionOptions, 'budget' | 'pins' | 'strategies'> = {}): Compactor {
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
        // The request goes on with the history as it is: a conversation that is too long is better than none.
        return {
          changesAnything: false,
          why: [{ code: 'failed', message: String((error as Error | undefined)?.message ?? error) }],
        }
      }
    },
  }
}

/** Instructions, tools and what is new in the request take their place in the window too. */
function sentWith({ body, usage, now, lastRequestAt, signal }: NextRequest): CompactSessionOptions {
  const said = body['messages'] ?? body['input'] ?? body['contents']
  const prompt = said === undefined ? 0 : estimateTokens(typeof said === 'string' ? said : JSON.stringify(said))
  return {
    around: tokensAround(body),
    coming: prompt,
    ...(usage ? { usage } : {}),
    ...(now === undefined ? {} : { now }),
    ...(lastRequestAt === undefined ? {} : { lastRequestAt }),
    ...(signal ? { signal } : {}),
  }
}

/** What a caller may say: `budget`, `pins`, and `force` for a compaction that is not due. What was meant and cannot be done is rejected. */
function asked({ budget, pins, force, ...more }: Readonly<Record<string, unknown>>): CompactSessionOptions {
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

function wrong(says: string): SutureError {
  return new SutureError('bad-option', says, {})
}

/** A plan without the history that stands in its patch. */
function shown({ changesAnything, why, steps, tokens, fits, cache, breakEven }: Plan): Partial<Plan> {
  return { changesAnything, why, steps: steps.map(({ instead: _, ...step }) => step), tokens, fits, cache, breakEven }
}
