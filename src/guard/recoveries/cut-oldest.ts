/**
 * Opt-in: replaces the oldest rounds by a note, with the planner of compactions: by a digest that needs no model, or by
 * a summary that the caller's function writes. Earlier pins, summaries and ledgers are kept.
 */
import { rules } from '../../rules/index.ts'
import { plan } from '../../strategies/plan.ts'
import { finish } from '../../strategies/plan-cut.ts'
import type { Plan, PlanTarget } from '../../strategies/plan-types.ts'
import { prepare } from '../../strategies/planning-input.ts'
import { cutAt } from './cut-history.ts'
import { historyOf } from './stricter-repair.ts'
import { tokensOfRequest, tokensToRemove } from './token-budget.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const summarizeOldest: Recovery = { id: 'summarize', maxTimes: 2, try: summarize }
export const dropRounds: Recovery = { id: 'drop-rounds', maxTimes: 3, try: drop }

function drop(attempt: Attempt): Recovered | undefined {
  if (attempt.options.dropRounds !== true) return undefined
  const need = tokensToRemove(attempt, 'drop-rounds')
  const cut = cutBy(plan(attempt.body, targetOf(attempt, need, 'digest')), attempt)
  return cut && { id: 'drop-rounds', ...cut.bound, report: { dropped: cut.at, kept: cut.kept, need } }
}

/** A summary that is empty, a refusal of the model, or not shorter than what it replaces changes nothing. */
async function summarize(attempt: Attempt): Promise<Recovered | undefined> {
  const { provider, model, service, options } = attempt
  if (!options.summarize) return undefined
  const need = tokensToRemove(attempt, 'summarize')
  const planned = plan(attempt.body, targetOf(attempt, need, 'model'))
  if (planned.needs === 'nothing') return undefined
  const { head, prior } = planned.summaryInput
  // The next summary starts from the previous one.
  const messages = prior === '' ? head : [service.dialect.textMessage('user', prior), ...head]
  const text: unknown = await options.summarize(messages, { provider, model, dialect: service.dialect.id })
  if (typeof text !== 'string') return undefined
  const finished = finish(planned, text)
  const cut = cutBy(finished, attempt)
  const { before, after } = finished.tokens
  return cut && { id: 'summarize', ...cut.bound, report: { summarized: cut.at, kept: cut.kept, need, before, after } }
}

/** Undefined: only the last round would be left. */
function cutBy({ changesAnything, steps }: Plan, attempt: Attempt) {
  const step = changesAnything ? steps.find(({ instead }) => instead !== undefined) : undefined
  if (!step) return undefined
  const at = step.to!
  return { at, kept: historyOf(attempt).length - at, bound: cutAt(attempt, at, step.instead!) }
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
