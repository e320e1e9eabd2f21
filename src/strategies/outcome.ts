/**
 * From a shorter list to a plan: mended where the shortening left something to mend, measured, checked, and written as a patch.
 */
import type { Part, Patch, Target } from '../core/index.ts'
import { changedRounds } from './between.ts'
import { tokensIn } from './counted.ts'
import { mend } from './mended.ts'
import { nativeIn } from './native.ts'
import type { Desk, Plan, PlanBase, Reason, Step } from './plan-types.ts'
import { paysOf } from './prices.ts'

/** Nothing changes, and why. */
export function noPlan(desk: Desk, why: readonly Reason[]): Plan {
  const before = Math.round(desk.measure.total)
  return {
    needs: 'nothing',
    ...baseOf(desk, { after: before, patch: [], steps: [], why, acts: false, list: desk.list }),
  }
}

/** Nothing is done about a plan that waits for a summary, and why. */
export function noteReason(plan: Plan, why: Reason): Plan {
  return plan.needs === 'nothing' ? plan : noPlan(plan.draft.desk, [...plan.why, why])
}

/** The plan that leads to this list; none if that is no shorter. */
export function planFor(desk: Desk, list: readonly unknown[], steps: readonly Step[], why: readonly Reason[]): Plan {
  const mended = mend({ list: desk.list, body: desk.body, target: targetOf(desk.target) }, list)
  const after = Math.round(sizeOf(desk, mended.list))
  const before = Math.round(desk.measure.total)
  if (after >= before) {
    const says = `What would be left is not smaller: ${after} tokens after ${before}.`
    return noPlan(desk, [...why, { code: 'larger', says }])
  }
  const base = baseOf(desk, { after, steps, why, acts: true, ...mended })
  if (base.fits || why.some(({ code }) => code !== 'due' && code !== 'forced')) return { needs: 'nothing', ...base }
  const says = `What stays takes ${after} tokens: mending what was broken in it took the room that was won.`
  return { needs: 'nothing', ...base, why: [...why, { code: 'not-enough', says }] }
}

/** A plan's own policy is about strategies, not about repairs. */
function targetOf({ service, rules, model, sending, strict }: Desk['target']): Target {
  return { service, rules, model, sending, strict }
}

/** Tokens of a list made from this one, with everything that is sent around it. */
export function sizeOf({ measure, counted, read, target, seenFrom }: Desk, list: readonly unknown[]): number {
  // A native item that stays keeps what is before it out of sight.
  const from = seenFrom > 0 ? (nativeIn(list, target.service.dialect)?.at ?? 0) : 0
  return measure.around + tokensIn(list, from, counted, read) * measure.scale
}

interface Outcome {
  readonly list: readonly unknown[]
  readonly after: number
  readonly patch: Patch
  readonly steps: readonly Step[]
  readonly why: readonly Reason[]
  readonly acts: boolean
}

export function baseOf(desk: Desk, { list, after, patch, steps, why, acts }: Outcome, summary?: number): PlanBase {
  const { budget, measure, cold } = desk
  const before = Math.round(measure.total)
  let same = 0
  while (same < list.length && same < desk.list.length && list[same] === desk.list[same]) same++
  const prefix = Math.round(Math.min(after, measure.around + desk.sums[same]! * measure.scale))
  return {
    acts,
    why,
    steps,
    rounds: acts ? changedRounds(desk.list, list, desk.target.service.dialect) : [],
    tokens: { before, after, limit: budget.limit, goal: budget.goal, reported: measure.reported },
    fits: after < budget.limit || after <= budget.goal,
    cache: { cold, messages: same, tokens: prefix },
    pays: paysOf({ before, after, prefix, summary, cold }, desk.prices),
    pins: pinned(desk, list, acts && steps.some(({ cut }) => cut !== undefined)),
    shrunk: [],
    patch,
  }
}

/** Those of the pins that were in the history, or that a note was to say. */
function pinned(desk: Desk, list: readonly unknown[], noted: boolean): PlanBase['pins'] {
  if (desk.pins.length === 0) return []
  const was = noted ? [] : textsIn(desk.list, desk)
  const now = textsIn(list, desk)
  const says = (texts: readonly string[], pin: string) => texts.some((text) => text.includes(pin))
  return desk.pins.filter((text) => noted || says(was, text)).map((text) => ({ text, present: says(now, text) }))
}

function textsIn(list: readonly unknown[], { target }: Desk): string[] {
  const { dialect } = target.service
  const parts: Part[] = []
  list.forEach((message, i) => void dialect.read(message, i, parts))
  return parts.flatMap((part) => {
    if (part.kind === 'result') return [dialect.content(part).text]
    return typeof part.body === 'string' ? [part.body] : []
  })
}
