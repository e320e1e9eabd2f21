import { type Bound, defineRule, type Explanation, own, type Part, type Step, type Walk } from '../core/index.ts'
import { idOf, isModels, reasoningItems, typeOf } from './items.ts'
import { mendingSteps } from './mends.ts'

export const explanation: Explanation = {
  says: 'A reasoning item is followed by what the model said or called.',
  why: 'Reasoning whose message or call was dropped makes the provider refuse the request.',
  refusals: [/of type 'reasoning' was provided without its required following item/i],
}

/** After a refusal also where the item behind it has lost its id. */
export const reasoningItemOrphan = defineRule({
  id: 'reasoning-item-orphan',
  repair: 'lossy',
  messages: { orphan: 'Nothing that the model said or called follows this reasoning.' },
  checks: {
    end(walk, bound) {
      const items = reasoningItems(walk)
      const next = followers(items)
      for (let i = 0; i < items.length; i++) {
        if (isOrphan(items[i]!, next[i]!, bound, walk)) report(items[i]!, bound, walk)
      }
    },
    // Asked again: another rule may take away what followed.
    edited(_first, bound, walk) {
      const items = reasoningItems(walk)
      const emptied = items.length > 0 ? emptiedBy(walk) : undefined
      if (!emptied?.size) return
      const before = followers(items)
      const after = followers(items, emptied)
      for (let i = 0; i < items.length; i++) {
        if (isOrphan(items[i]!, before[i]!, bound, walk)) continue
        if (isOrphan(items[i]!, after[i]!, bound, walk)) report(items[i]!, bound, walk)
      }
    },
  },
})

function report(index: number, bound: Bound, walk: Walk): void {
  walk.report(bound, 'orphan', [index], {}, [{ do: 'rewrite', message: index, with: () => undefined }])
}

/** At the end of a history that is not sent yet, what follows may still come. */
function isOrphan(index: number, next: number, bound: Bound, walk: Walk): boolean {
  // Who speaks next is known already; the item itself is looked at only where that does not settle it.
  if (next < walk.history.length && isSaid(next, walk) && !bound.refused) return false
  if (idOf(walk.history[index]) === undefined) return false
  if (next >= walk.history.length) return walk.sending
  return !isSaid(next, walk) || idOf(walk.history[next]) === undefined
}

/** The model's, or of a kind that nobody knows: a role that is no word makes it nobody else's. */
function isSaid(index: number, walk: Walk): boolean {
  if (isModels(index, walk)) return true
  const item = walk.history[index]
  const role = own(item, 'role')
  if (role === undefined || typeof role === 'string') return false
  return !/^(?:message|.*_call_output|tool_search_output|mcp_approval_response)$/s.test(typeOf(item))
}

/** For each the next item that is no reasoning. Last first: a run of reasoning is walked through once. */
function followers(items: readonly number[], gone?: ReadonlySet<number>): number[] {
  const next: number[] = []
  for (let i = items.length - 1; i >= 0; i--) {
    let at = items[i]! + 1
    while (gone?.has(at) && at !== items[i + 1]) at++
    next[i] = at === items[i + 1] ? next[i + 1]! : at
  }
  return next
}

/** Messages of which other mends leave nothing. */
function emptiedBy(walk: Walk): ReadonlySet<number> {
  const emptied = new Set<number>()
  const losses = new Map<number, Set<Part>>()
  for (const step of mendingSteps(walk)) gather(step, losses, emptied, walk)
  const parts: Part[] = []
  for (const [index, lost] of losses) {
    parts.length = 0
    walk.dialect.read(walk.history[index], index, parts)
    if (lost.size >= parts.length) emptied.add(index)
  }
  return emptied
}

function gather(step: Step, losses: Map<number, Set<Part>>, emptied: Set<number>, walk: Walk): void {
  if (step.do === 'rewrite') {
    if (step.with(walk.history[step.message]) === undefined) emptied.add(step.message)
  } else if (step.do === 'remove') {
    const parts = losses.get(step.part.message)
    if (parts) parts.add(step.part)
    else losses.set(step.part.message, new Set([step.part]))
  }
}
