import { type Bound, defineRule, type Explanation, isObject } from '../core/index.ts'
import { withoutId } from './lib/items.ts'

export interface ItemIdPrefix {
  /** By native type of item, how its id must begin. */
  readonly prefixes?: Readonly<Record<string, string>>
}

export const itemIdPrefix = defineRule({
  id: 'item-id-prefix',
  phase: 'structure',
  repair: 'safe',
  about: () => ({ keys: ['id'] }),
  messages: {
    prefix:
      'Item {index} has the id {id}, which does not begin with `{prefix}`; {rejects} it. {Repair} removes the id.',
  },
  check(t, { prefixes = {} }: Bound<ItemIdPrefix>, report) {
    const { itemType } = t.dialect
    if (!itemType) return
    for (let i = 0; i < t.history.length; i++) {
      const item = t.history[i]
      const id = isObject(item) ? item['id'] : undefined
      if (typeof id !== 'string') continue
      const type = itemType(item)
      const prefix = Object.hasOwn(prefixes, type) ? prefixes[type] : undefined
      if (prefix !== undefined && !id.startsWith(prefix)) report('prefix', [i, 'id'], { id, prefix }, [withoutId(t, i)])
    }
  },
})

export const explanation: Explanation = {
  summary: 'The id of an item has the prefix of its type.',
  why: 'Call ids and ids of other providers in place of an item id are rejected.',
  repair: 'Repair removes the id.',
}
