/**
 * The oldest rounds replaced by a note, as the planner of compactions does it: with a digest that needs no model, or with a summary that the caller writes.
 * What was pinned, summarised and entered in the ledger before is carried on.
 */
import { rules } from '../../rules/index.ts'
import { layOut } from '../../strategies/desk.ts'
import { plan } from '../../strategies/plan.ts'
import type { Plan, PlanTarget } from '../../strategies/plan-types.ts'
import { finish } from '../../strategies/summary.ts'
import { historyOf } from './mend.ts'
import { totalOf } from './sizes.ts'
import type { Attempt } from './types.ts'

/** What goes, and what stands for it. */
export interface Shortening {
  readonly at: number
  readonly head: readonly unknown[]
  readonly instead: readonly unknown[]
  readonly plan: Plan
}

/** Without so many tokens, and a digest of what went; undefined: nothing but the last round would be left. */
export function dropped(attempt: Attempt, need: number): Shortening | undefined {
  return shortening(attempt, plan(attempt.body, targetOf(attempt, need, 'digest')))
}

/** The same for a summary. One that is empty, refuses or is no shorter changes nothing. */
export async function summarised(
  attempt: Attempt,
  need: number,
  write: NonNullable<Attempt['options']['summarise']>,
): Promise<Shortening | undefined> {
  const { provider, model, service } = attempt
  const found = plan(attempt.body, targetOf(attempt, need, 'ask'))
  if (found.needs === 'nothing') return undefined
  const { head, prior } = found.ask
  // The summary so far is the first thing that the next one is told.
  const told = prior === '' ? head : [service.dialect.say('user', prior), ...head]
  const text = await write(told, { provider, model, dialect: service.dialect.id })
  return typeof text === 'string' ? shortening(attempt, finish(found, text)) : undefined
}

function shortening(attempt: Attempt, plan: Plan): Shortening | undefined {
  const step = plan.acts ? plan.steps.find(({ instead }) => instead !== undefined) : undefined
  if (!step) return undefined
  const at = step.to!
  return { at, head: historyOf(attempt).slice(0, at), instead: step.instead!, plan }
}

/** The provider's own numbers say which share has to go; the planner counts by its own estimate. */
function targetOf(attempt: Attempt, need: number, by: 'digest' | 'ask'): PlanTarget {
  const { service, model, options, body } = attempt
  const target = { service, rules, model, force: true, native: true, estimate: options.estimate }
  const share = Math.min(need / Math.max(1, totalOf(attempt)), 0.95)
  const goal = Math.max(1, Math.floor(layOut(body, target).measure.total * (1 - share)))
  const policy = { ladder: ['summary' as const], summary: { by } }
  return { ...target, budget: { limit: goal, goal }, policy }
}
