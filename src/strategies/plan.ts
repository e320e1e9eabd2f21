/**
 * Plans a compaction: the mildest strategies that are enough, else a cut whose head becomes a note. Pure: no I/O, no clock of its own.
 */

import { clear, type Done, keepFrom, stepOf } from './clear.ts'
import { layOut } from './desk.ts'
import { clearEarly } from './early.ts'
import { noPlan, planFor, sizeOf } from './outcome.ts'
import type { Desk, Plan, PlanTarget, Reason, Step } from './plan-types.ts'
import { dropReasoning } from './reasoning.ts'
import { shrinkResults } from './results.ts'
import { type Shrunk, shrinkMemory } from './shrink.ts'
import { planCut } from './summary.ts'

/** What to do about this history, or this request body, and what it is worth. */
export function plan(input: unknown, target: PlanTarget): Plan {
  const desk = layOut(input, target)
  const { measure, budget, policy } = desk
  const total = Math.round(measure.total)
  const due = measure.total >= budget.limit
  if (!due && !target.force) return clearEarly(desk) ?? noPlan(desk, [fits(total, budget.limit)])
  const why: Reason[] = due
    ? [{ code: 'due', says: `${total} tokens, and a compaction is due at ${budget.limit}.` }]
    : [{ code: 'forced', says: `Asked for, at ${total} tokens.` }]
  const mild = inPlace(desk)
  if (mild?.enough) return withShrunk(planFor(desk, mild.list, mild.steps, why), mild)
  const cuts = policy.ladder.find((one) => one === 'summary' || one === 'drop')
  if (cuts) return planCut(desk, cuts, why)
  const says = 'The strategies that were allowed do not take away enough.'
  const told: Reason[] = [...why, { code: 'not-enough', says }]
  return mild && mild.steps.length > 0
    ? withShrunk(planFor(desk, mild.list, mild.steps, told), mild)
    : noPlan(desk, told)
}

function withShrunk(plan: Plan, { shrunk }: Mild): Plan {
  return plan.acts ? { ...plan, shrunk } : plan
}

function fits(total: number, limit: number): Reason {
  return { code: 'fits', says: `${total} tokens, and a compaction is due at ${limit}.` }
}

interface Mild {
  readonly list: readonly unknown[]
  readonly steps: readonly Step[]
  readonly shrunk: readonly Shrunk[]
  readonly enough: boolean
}

/** Shrink, clear and reasoning in the order of the ladder, as far as needed. Undefined: they cannot be enough. */
function inPlace(desk: Desk): Mild | undefined {
  const { policy, budget, measure } = desk
  const recent = keepFrom(desk, policy.clear.keep)
  const most = (desk.results[recent]! + shrinkable(desk, recent) + desk.reasoning[desk.list.length]!) * measure.scale
  const cuts = policy.ladder.some((one) => one === 'summary' || one === 'drop')
  // A glance at the sums: where a cut comes anyway it is made from the originals, not from what is left of them.
  if (cuts && measure.total - most > budget.ease) return undefined
  let list = desk.list
  const steps: Step[] = []
  const shrunk: Shrunk[] = []
  for (const name of policy.ladder) {
    const done = name === 'shrink' ? shrink(desk, list) : name === 'clear' ? clear(desk, list, recent) : undefined
    const next = name === 'reasoning' ? withoutReasoning(desk, list) : done
    if (!next?.step) continue
    list = next.list
    steps.push(next.step)
    shrunk.push(...(next.shrunk ?? []))
    if (sizeOf(desk, list) <= budget.ease) return { list, steps, shrunk, enough: true }
  }
  return { list, steps, shrunk, enough: false }
}

/** Tokens that large results among the recent ones can lose. */
function shrinkable(desk: Desk, from: number): number {
  const { ladder, shrink } = desk.policy
  if (!ladder.includes('shrink')) return 0
  let sum = 0
  const to = keepFrom(desk, 1)
  for (let i = from; i < to; i++) {
    const size = desk.results[i + 1]! - desk.results[i]!
    if (size > shrink.over) sum += size - shrink.to
  }
  return sum
}

/** In place, so the places of the first list hold for all that follow. */
function shrink(desk: Desk, list: readonly unknown[]): Done {
  const { policy, estimate, target } = desk
  const before = keepFrom(desk, 1)
  const { exempt } = policy.clear
  const memory = target.memory ?? shrinkMemory()
  const done = shrinkResults(list, target.service.dialect, {
    ...policy.shrink,
    before,
    from: desk.seenFrom,
    exempt,
    pins: desk.pins,
    estimate,
    memory,
  })
  return { ...stepOf(desk, 'shrink', list, done.history, done.calls), shrunk: done.shrunk }
}

function withoutReasoning(desk: Desk, list: readonly unknown[]): Done {
  const { service, model } = desk.target
  const before = Math.min(lastPrompt(desk, list), desk.stays)
  return stepOf(desk, 'reasoning', list, dropReasoning(list, service, model, before, desk.seenFrom))
}

function lastPrompt({ target }: Desk, list: readonly unknown[]): number {
  const { dialect } = target.service
  for (let i = list.length - 1; i >= 0; i--) {
    const parts: Parameters<typeof dialect.read>[2] = []
    if (dialect.read(list[i], i, parts) === 'user' && parts.every(({ kind }) => kind !== 'result')) return i
  }
  return 0
}
