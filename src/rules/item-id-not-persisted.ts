import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { isOnlyId, isReasoning, itemsWithId, withoutId, withoutReasoning } from './lib/items.ts'

export interface ItemIdNotPersisted {
  /** The request key that says whether responses are stored. */
  readonly setting?: string
}

/** Needs the request: if responses are stored, every id may be known. */
export const itemIdNotPersisted = defineRule({
  id: 'item-id-not-persisted',
  phase: 'structure',
  repair: 'lossy',
  about: () => ({ keys: ['id'] }),
  messages: {
    unknown:
      'Items that are only an id ({count}) refer to stored items, but nothing is stored (`store: false`); {rejects} them. {Repair} removes them.',
    rejected: '{provider} did not find an item id. {Repair} removes the ids of all items ({count}).',
  },
  check(t, { setting, rejected }: Bound<ItemIdNotPersisted>, report) {
    if (rejected) {
      const items = itemsWithId(t)
      const fix = items.map((item) => withoutId(t, item))
      if (items.length > 0) report('rejected', [items[0]!], { count: items.length }, fix)
    } else if (setting !== undefined && t.request?.[setting] === false) {
      // What carries its own content needs no store: it stays, id and all, until it is rejected.
      const unknown = itemsWithId(t).filter((item) => isOnlyId(t, item))
      if (unknown.length === 0) return
      const references = unknown.filter((item) => !isReasoning(t, item)).map((item) => withoutId(t, item))
      const reasoning = withoutReasoning(
        t,
        unknown.filter((item) => isReasoning(t, item)),
      )
      report('unknown', [unknown[0]!], { count: unknown.length }, [...references, ...reasoning])
    }
  },
})

export const explanation: Explanation = {
  summary: 'A request with `store: false` does not refer to stored items.',
  why: 'The provider looks up item references, and reasoning that is only an id, and does not find them.',
  repair: 'Repair removes the references, and reasoning that consists only of an id.',
}
