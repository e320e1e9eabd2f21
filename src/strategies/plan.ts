/**
 * Plans a compaction: the mildest strategies that suffice, else a cut that replaces the oldest messages by a note.
 * Pure: no I/O, no clock.
 */
import { assemblePlan, noPlan, tokensOfList } from './assemble-plan.ts'
import { choiceOf, clear, keepFrom, type StrategyResult, stepOf } from './clear.ts'
import { clearEarly } from './clear-early.ts'
import { planCut } from './plan-cut.ts'
import type { Plan, PlanStep, PlanTarget, Reason } from './plan-types.ts'
import { type PlanningInput, prepare } from './planning-input.ts'
import { dropReasoning } from './reasoning.ts'
import { shrinkResults } from './shorten-results.ts'
import { type Shrunk, shrinkMemory } from './shrink.ts'

/** Plans for a history or a request body. */
export function plan(history: unknown, target: PlanTarget): Plan {
  const input = prepare(history, target)
  const { measure, budget, strategies } = input
  const total = Math.round(measure.total)
  const due = measure.total >= budget.limit
  if (!due && !target.force) return clearEarly(input) ?? noPlan(input, [fits(total, budget.limit)])
  const why: Reason[] = due
    ? [{ code: 'due', message: `The history has ${total} tokens; a compaction is due at ${budget.limit}.` }]
    : [{ code: 'forced', message: `A compaction was requested at ${total} tokens.` }]
  const mild = inPlace(input)
  if (mild?.enough) return withShrunk(assemblePlan(input, mild.list, mild.steps, why), mild)
  const cuts = strategies.ladder.find((one) => one === 'summary' || one === 'drop')
  if (cuts) return planCut(input, cuts, why)
  const message = 'The allowed strategies do not remove enough tokens.'
  const reasons: Reason[] = [...why, { code: 'not-enough', message }]
  return mild && mild.steps.length > 0
    ? withShrunk(assemblePlan(input, mild.list, mild.steps, reasons), mild)
    : noPlan(input, reasons)
}

function withShrunk(plan: Plan, { shrunk }: Mild): Plan {
  return plan.changesAnything ? { ...plan, shrunk } : plan
}

function fits(total: number, limit: number): Reason {
  return { code: 'fits', message: `The history has ${total} tokens; a compaction is due at ${limit}.` }
}

interface Mild {
  readonly list: readonly unknown[]
  readonly steps: readonly PlanStep[]
  readonly shrunk: readonly Shrunk[]
  readonly enough: boolean
}

/** `shrink`, `clear`, `reasoning` in the ladder's order until the history fits. Undefined: they cannot suffice. */
function inPlace(input: PlanningInput): Mild | undefined {
  const { strategies, budget, measure } = input
  const recent = keepFrom(input, strategies.clear.keepTokens)
  const most =
    (input.results[recent]! + shrinkable(input, recent) + input.reasoning[input.list.length]!) * measure.scale
  const cuts = strategies.ladder.some((one) => one === 'summary' || one === 'drop')
  // If a cut is needed anyway, it is made from the original messages, not from shortened ones.
  if (cuts && measure.total - most > budget.ease) return undefined
  let list = input.list
  const steps: PlanStep[] = []
  const shrunk: Shrunk[] = []
  for (const name of strategies.ladder) {
    const done = name === 'shrink' ? shrink(input, list) : name === 'clear' ? clear(input, list, recent) : undefined
    const next = name === 'reasoning' ? withoutReasoning(input, list) : done
    if (!next?.step) continue
    list = next.list
    steps.push(next.step)
    for (const one of next.shrunk ?? []) shrunk.push(one)
    if (tokensOfList(input, list) <= budget.ease) return { list, steps, shrunk, enough: true }
  }
  return { list, steps, shrunk, enough: false }
}

/** Tokens that shrinking can remove from recent results. */
function shrinkable(input: PlanningInput, from: number): number {
  const { ladder, shrink } = input.strategies
  if (!ladder.includes('shrink')) return 0
  let sum = 0
  const to = keepFrom(input, 1)
  for (let i = from; i < to; i++) {
    const size = input.results[i + 1]! - input.results[i]!
    if (size > shrink.overTokens) sum += size - shrink.toTokens
  }
  return sum
}

/** Changes messages in place, so that indexes stay valid for the next strategies. */
function shrink(input: PlanningInput, list: readonly unknown[]): StrategyResult {
  const { strategies, target } = input
  const choice = { ...strategies.shrink, ...choiceOf(input, keepFrom(input, 1)) }
  const memory = target.memory ?? shrinkMemory()
  const done = shrinkResults(list, target.service.dialect, { ...choice, memory })
  return { ...stepOf(input, 'shrink', list, done.history, done.calls), shrunk: done.shrunk }
}

function withoutReasoning(input: PlanningInput, list: readonly unknown[]): StrategyResult {
  const { service, model } = input.target
  // `shrink` and `clear` keep the number of messages and their roles, so the index is valid for a shortened list.
  const lastPrompt = input.list.findLastIndex((_, i) => input.transcript.isPrompt(i))
  const before = Math.min(Math.max(0, lastPrompt), input.stays)
  if (input.reasoning[before] === 0) return { list, step: undefined }
  return stepOf(input, 'reasoning', list, dropReasoning(list, service, model, before, input.seenFrom))
}
