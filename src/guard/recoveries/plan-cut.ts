/**
 * Replaces the oldest rounds by a note, with the planner of compactions: with a digest that needs no model, or with a summary that the
 * caller writes. Earlier pins, summaries and ledgers are kept.
 */
import { rules } from '../../rules/index.ts'
import { plan } from '../../strategies/plan.ts'
import { finish } from '../../strategies/plan-cut.ts'
import type { Plan, PlanTarget } from '../../strategies/plan-types.ts'
import { prepare } from '../../strategies/planning-input.ts'
import { historyOf } from './stricter-repair.ts'
import { tokensOfRequest } from './token-budget.ts'
import type { Attempt } from './types.ts'

/** What is removed, and what replaces it. */
export interface PlannedCut {
  readonly at: number
  readonly head: readonly unknown[]
  readonly instead: readonly unknown[]
  readonly plan: Plan
}

/** Removes this many tokens and adds a digest; undefined: only the last round would be left. */
export function planDrop(attempt: Attempt, need: number): PlannedCut | undefined {
  return shortening(attempt, plan(attempt.body, targetOf(attempt, need, 'digest')))
}

/** The same for a summary. A summary that is empty, a refusal of the model, or not shorter changes nothing. */
export async function planSummary(
  attempt: Attempt,
  need: number,
  write: NonNullable<Attempt['options']['summarize']>,
): Promise<PlannedCut | undefined> {
  const { provider, model, service } = attempt
  const found = plan(attempt.body, targetOf(attempt, need, 'model'))
  if (found.needs === 'nothing') return undefined
  const { head, prior } = found.summaryInput
  // The next summary starts from the previous one.
  const messages = prior === '' ? head : [service.dialect.textMessage('user', prior), ...head]
  const text = await write(messages, { provider, model, dialect: service.dialect.id })
  return typeof text === 'string' ? shortening(attempt, finish(found, text)) : undefined
}

function shortening(attempt: Attempt, plan: Plan): PlannedCut | undefined {
  const step = plan.changesAnything ? plan.steps.find(({ instead }) => instead !== undefined) : undefined
  if (!step) return undefined
  const at = step.to!
  return { at, head: historyOf(attempt).slice(0, at), instead: step.instead!, plan }
}

/** The provider's own numbers give the share to remove; the planner counts by its own estimate. */
function targetOf(attempt: Attempt, need: number, method: 'digest' | 'model'): PlanTarget {
  const { service, model, options, body } = attempt
  const target = { service, rules, model, force: true, native: true, estimate: options.estimate }
  const share = Math.min(need / Math.max(1, tokensOfRequest(attempt)), 0.95)
  const goal = Math.max(1, Math.floor(prepare(body, target).measure.total * (1 - share)))
  const strategies = { ladder: ['summary' as const], summary: { method } }
  return { ...target, budget: { limit: goal, goal }, strategies }
}
