import { type Bound, defineRule, type Explanation, type NoParams, type Transcript } from '../core/index.ts'
import { hasId, reasoningItems } from './lib/items.ts'

/** After a rejection also if the item after it has lost its id. */
export const reasoningItemOrphan = defineRule({
  id: 'reasoning-item-orphan',
  phase: 'structure',
  about: () => ({ parts: ['reasoning'] }),
  repair: 'lossy',
  messages: {
    orphan:
      'No message or call of the assistant follows the reasoning item {index}; {rejects} that. {Repair} removes the item.',
  },
  check(t, { rejected }: Bound<NoParams>, report) {
    const items = reasoningItems(t)
    const next = followers(items)
    items.forEach((item, i) => {
      if (isOrphan(t, item, next[i]!, rejected))
        report('orphan', [item], {}, [{ do: 'replace-message', message: item, value: undefined }])
    })
  },
})

/** At the end of a history in progress, what follows may still come. */
function isOrphan(t: Transcript, item: number, next: number, rejected: boolean): boolean {
  const follows = next < t.history.length && t.isAssistant(next)
  if ((follows && !rejected) || !hasId(t, item)) return false
  if (next >= t.history.length) return !t.inProgress
  return !follows || !hasId(t, next)
}

/** For each the next item that is not reasoning. Last first: a run of reasoning is walked through once. */
function followers(items: readonly number[]): readonly number[] {
  const next: number[] = []
  for (let i = items.length - 1; i >= 0; i--) next[i] = items[i]! + 1 === items[i + 1] ? next[i + 1]! : items[i]! + 1
  return next
}

export const explanation: Explanation = {
  summary: 'A reasoning item is followed by the message or call it belongs to.',
  why: 'Reasoning whose message or call was removed makes the provider reject the request.',
  repair: 'Repair removes the reasoning item.',
}
