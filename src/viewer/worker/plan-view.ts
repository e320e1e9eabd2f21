/**
 * A compaction before it is made: what would go, what it saves, where the cut falls and how much of the cache stays.
 */
import { apply } from '../../core/index.ts'
import { plan } from '../../strategies/plan.ts'
import type { PlanStep } from '../../strategies/plan-types.ts'
import { targetOf } from '../../target.ts'
import type { PlanView } from './protocol.ts'
import type { View } from './view.ts'

export function planOf(view: View, force: boolean): PlanView {
  const list = view.sent.list
  const { service, rules, model, strict } = targetOf(list, view.target)
  const made = plan(list, { service, rules, model, strict, force, strategies: { summary: { method: 'digest' } } })
  const cut = made.steps.find(({ to }) => to !== undefined)?.to
  return {
    acts: made.changesAnything,
    why: made.why.map(({ message }) => message),
    steps: made.steps.map((step) => ({
      strategy: step.strategy,
      saves: Math.round(step.saves),
      detail: detailOf(step),
    })),
    before: Math.round(made.tokens.before),
    after: Math.round(made.tokens.after),
    limit: made.tokens.limit,
    goal: made.tokens.goal,
    fits: made.fits,
    cacheMessages: made.cache.messages,
    cacheTokens: Math.round(made.cache.tokens),
    messagesBefore: list.length,
    messagesAfter: made.changesAnything ? apply(list, made.patch).length : list.length,
    cutRow: cut === undefined ? -1 : (view.rowOfSent[cut] ?? -1),
  }
}

function detailOf({ cut, calls, from, to }: PlanStep): string {
  if (cut !== undefined) return `cut at ${cut}`
  if (from !== undefined && to !== undefined) return `messages ${from} to ${to - 1}`
  return calls ? `${calls.length} ${calls.length === 1 ? 'result' : 'results'}` : ''
}
