/** A compaction before it is made: what it removes and saves, where it cuts, and how much of the cache is kept. */
import { apply } from '../../core/index.ts'
import { plan } from '../../strategies/plan.ts'
import type { PlanStep } from '../../strategies/plan-types.ts'
import { tokensAround } from '../../strategies/planning-input.ts'
import { targetOf } from '../../target.ts'
import type { PlanView } from './protocol.ts'
import type { View } from './view.ts'

export function planOf(view: View, force: boolean): PlanView {
  const { list } = view.sent
  const { service, rules, model, strict } = targetOf(list, view.target)
  const made = plan(list, {
    ...{ service, rules, model, strict, force },
    around: tokensAround(view.conversation.body ?? {}),
    strategies: { summary: { method: 'digest' } },
  })
  const { changesAnything, fits, tokens, cache, patch } = made
  const cut = made.steps.find(({ to }) => to !== undefined)?.to ?? -1
  return {
    changesAnything,
    fits,
    tokens,
    cache,
    why: made.why.map(({ message }) => message),
    steps: made.steps.map((step) => ({ strategy: step.strategy, saves: step.saves, detail: detailOf(step) })),
    messages: { before: list.length, after: changesAnything ? apply(list, patch).length : list.length },
    cutRow: view.rowOfSent[cut] ?? -1,
  }
}

function detailOf({ cut, calls, from, to }: PlanStep): string {
  if (cut !== undefined) return `cut at ${cut}`
  if (from !== undefined && to !== undefined) return `messages ${from} to ${to - 1}`
  return calls ? `${calls.length} ${calls.length === 1 ? 'result' : 'results'}` : ''
}
