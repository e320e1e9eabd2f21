import { defineRule, type Explanation, type Law, own } from '../core/index.ts'
import { release, typeOf } from './items.ts'

export const explanation: Explanation = {
  says: 'The id of an item begins as ids of its type do.',
  why: 'Call ids and foreign ids in the place of an item id are refused.',
  refusals: [/Expected an ID that begins with/i],
}

const PREFIXES = { function_call: 'fc', reasoning: 'rs', message: 'msg' }

/** Law: `prefixes` — by type of item, how its id must begin; the seen ones if not said. */
export const itemIdPrefix = defineRule({
  id: 'item-id-prefix',
  repair: 'safe',
  quiet: ({ law, refused }) => {
    if (refused) return undefined
    const prefixes = new Map(Object.entries(prefixesOf(law)))
    return { item: (id, type) => id.startsWith(prefixes.get(type) ?? '') }
  },
  messages: { prefix: 'The id {id} does not begin with {prefix}.' },
  checks: {
    message({ index, message, parts }, bound, walk) {
      const id = own(message, 'id')
      if (typeof id !== 'string') return
      const prefix = prefixOf(typeOf(message), bound.law)
      if (id.startsWith(prefix)) return
      walk.report(bound, 'prefix', [index, 'id'], { id, prefix }, [release(index, walk, parts)])
    },
  },
})

function prefixOf(type: string, law: Law): string {
  const prefixes = prefixesOf(law)
  return Object.hasOwn(prefixes, type) ? prefixes[type]! : ''
}

function prefixesOf(law: Law): Readonly<Record<string, string>> {
  return (law['prefixes'] ?? PREFIXES) as Readonly<Record<string, string>>
}
