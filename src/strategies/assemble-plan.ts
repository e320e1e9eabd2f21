/** Makes a plan from a shortened list: repairs it for its target, measures it, checks the pins and writes the patch. */
import { changedRoundsOf, sharedEnds, Transcript } from '../core/index.ts'
import type { Plan, PlanBase, PlanStep, Reason } from './plan-types.ts'
import type { PlanningInput } from './planning-input.ts'
import { breakEvenOf } from './prices.ts'
import { providerItem } from './provider-compaction.ts'
import { repairShortened } from './repair-shortened.ts'

/** A plan that changes nothing, with the reasons. */
export function noPlan(input: PlanningInput, why: readonly Reason[]): Plan {
  const after = Math.round(input.measure.total)
  const unchanged = { after, patch: [], steps: [], why, changesAnything: false, list: input.list }
  return { needs: 'nothing', ...planBase(input, unchanged) }
}

/** Cancels a plan that waits for a summary. */
export function cancelPlan(plan: Plan, why: Reason): Plan {
  return plan.needs === 'nothing' ? plan : noPlan(plan.draft.input, [...plan.why, why])
}

/** The plan that leads to this list; one that changes nothing if the list is not shorter. */
export function assemblePlan(
  input: PlanningInput,
  list: readonly unknown[],
  steps: readonly PlanStep[],
  why: readonly Reason[],
): Plan {
  const repaired = repairShortened({ list: input.list, body: input.body, target: input.target }, list)
  const after = Math.round(tokensOfList(input, repaired.list))
  const before = Math.round(input.measure.total)
  if (after >= before) {
    const message = `The result would not be smaller: ${after} tokens instead of ${before}.`
    return noPlan(input, [...why, { code: 'larger', message }])
  }
  const base = planBase(input, { after, steps, why, changesAnything: true, ...repaired })
  if (base.fits || why.some(({ code }) => code !== 'due' && code !== 'forced')) return { needs: 'nothing', ...base }
  const message = `The result takes ${after} tokens: repairing what was broken in it used up what was saved.`
  return { needs: 'nothing', ...base, why: [...why, { code: 'not-enough', message }] }
}

/** Tokens of a list made from the planned one, with everything that is sent around it. */
export function tokensOfList({ measure, counter, target, seenFrom }: PlanningInput, list: readonly unknown[]): number {
  // The provider ignores what is before a compaction item of its own.
  const from = seenFrom > 0 ? (providerItem(new Transcript(list, target.service.dialect))?.at ?? 0) : 0
  return measure.around + counter.sum(list, from) * measure.scale
}

type PlannedChange = Pick<PlanBase, 'patch' | 'steps' | 'why' | 'changesAnything'> & {
  readonly list: readonly unknown[]
  readonly after: number
}

/** `summary`: tokens of a summary that a model has to write. */
export function planBase(input: PlanningInput, change: PlannedChange, summary?: number): PlanBase {
  const { budget, measure, cold } = input
  const { list, after, patch, steps, why, changesAnything } = change
  const before = Math.round(measure.total)
  const { start } = sharedEnds(input.list, list)
  const prefix = Math.round(Math.min(after, measure.around + input.sums[start]! * measure.scale))
  return {
    changesAnything,
    why,
    steps,
    rounds: changesAnything ? changedRoundsOf(input.transcript, list) : [],
    tokens: { before, after, limit: budget.limit, goal: budget.goal, reported: measure.reported },
    fits: after < budget.limit || after <= budget.goal,
    cache: { cold, messages: start, tokens: prefix },
    breakEven: breakEvenOf({ before, after, prefix, summary, cold }, input.prices),
    pins: pinned(input, list, changesAnything && steps.some(({ cut }) => cut !== undefined)),
    shrunk: [],
    patch,
  }
}

/** `noted`: a note contains all pins; else only those that were in the history count. */
function pinned(input: PlanningInput, list: readonly unknown[], noted: boolean): PlanBase['pins'] {
  if (input.pins.length === 0) return []
  const was = noted ? [] : textsIn(input.transcript)
  const now = textsIn(new Transcript(list, input.target.service.dialect))
  const contains = (texts: readonly string[], pin: string) => texts.some((text) => text.includes(pin))
  return input.pins
    .filter((text) => noted || contains(was, text))
    .map((text) => ({ text, present: contains(now, text) }))
}

function textsIn({ parts, dialect }: Transcript): string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'result') return [dialect.content(part).text]
    return typeof part.body === 'string' ? [part.body] : []
  })
}
