/**
 * Compaction behind the gateway's session API. It asks no model: what goes is said by a digest.
 */
import { type BudgetOptions, type CompactSessionOptions, compactSession, type Plan, plan } from '../compact.ts'
import type { Compactor } from '../gateway/index.ts'

export const compactor: Compactor = {
  async plan(session, { provider, dialect, model }, options) {
    const { history } = await session.view()
    const target = { provider, dialect, ...(model === undefined ? {} : { model }), sending: true, ...asked(options) }
    return shown(plan(history, { ...target, policy: { summary: { by: 'digest' } } }))
  },
  async compact(session, _about, options) {
    const { acts, why, plan: made, position, receipt } = await compactSession(session, asked(options))
    return { ...(made ? shown(made) : {}), acts, why, position, receipt }
  },
}

/** What a caller may say: `budget`, `pins`, and `force` for a compaction that is not due. */
function asked({ budget, pins, force }: Readonly<Record<string, unknown>>): CompactSessionOptions {
  return {
    ...(typeof budget === 'object' && budget !== null ? { budget: budget as BudgetOptions } : {}),
    ...(Array.isArray(pins) ? { pins: pins.filter((pin) => typeof pin === 'string') } : {}),
    ...(force === true ? { force } : {}),
  }
}

/** A plan without the history that stands in its patch. */
function shown({ acts, why, steps, tokens, fits, cache, pays }: Plan): Partial<Plan> {
  return { acts, why, steps, tokens, fits, cache, pays }
}
