/**
 * From a shorter list to a plan: mended where the shortening left something to mend, measured, checked, and written as a patch.
 */
import { type Edit, type Part, type Patch, repair } from '../core/index.ts'
import { patchBetween } from './between.ts'
import { tokensIn } from './counted.ts'
import { nativeIn } from './native.ts'
import type { Desk, Plan, PlanBase, Reason, Step } from './plan-types.ts'
import { paysOf } from './prices.ts'
import { isBound } from './reasoning.ts'

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
  const mended = mend(desk, list)
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

/** Tokens of a list made from this one, with everything that is sent around it. */
export function sizeOf({ measure, counted, read, target, seenFrom }: Desk, list: readonly unknown[]): number {
  // A native item that stays keeps what is before it out of sight.
  const from = seenFrom > 0 ? (nativeIn(list, target.service.dialect)?.at ?? 0) : 0
  return measure.around + tokensIn(list, from, counted, read) * measure.scale
}

/** Repair for the target. Signed reasoning that is bound to what stood before it does not survive a change there. */
function mend({ target, list: was, body }: Desk, list: readonly unknown[]): { list: readonly unknown[]; patch: Patch } {
  const { service, rules, model, inProgress, strict } = target
  const rejectedBy = isBound(service, model) && hasReasoning(list, was, target) ? ['thinking-bound-to-other-prefix'] : []
  const { key } = service.dialect
  const input = body ? { ...body, [key]: list } : list
  const repaired = repair<unknown>(input, { service, rules, model, inProgress, strict, rejectedBy })
  const now = (body ? (repaired.value as Record<string, unknown>)[key] : repaired.value) as readonly unknown[]
  const around = repaired.patch.filter((edit): edit is Edit => edit.op === 'set' && edit.path.length === 0)
  const patch = [...patchBetween(was, now, body ? [key] : []), ...(body ? around : [])]
  return { list: now, patch }
}

function hasReasoning(list: readonly unknown[], was: readonly unknown[], { service }: Desk['target']): boolean {
  let same = 0
  while (same < list.length && list[same] === was[same]) same++
  const parts: Part[] = []
  for (let i = same; i < list.length; i++) service.dialect.read(list[i], i, parts)
  return parts.some(({ kind }) => kind === 'reasoning')
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
