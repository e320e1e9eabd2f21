import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  type JsonObject,
  type Part,
  silent,
  type Walk,
  withKey,
} from '../core/index.ts'

export const explanation: Explanation = {
  says: 'Nothing carries a cache mark where the provider knows none.',
  why: 'A strict schema refuses the mark like any other unknown field.',
  refusals: [/(?<!thinking)\.cache_control: Extra inputs are not permitted/i],
}

/** Law: `key` — the key of a cache mark · `body` — keys of the request whose lists may carry marks too. */
export const cacheControlUnsupported = defineRule({
  id: 'cache-control-unsupported',
  repair: 'safe',
  quiet: silent,
  aside: true,
  messages: { unsupported: 'There is a cache mark here.' },
  checks: {
    message(view, bound, walk) {
      const key = keyOf(bound)
      for (const part of view.parts) checkPart(part, bound, walk)
      const { index, message, parts } = view
      // A message that is one part may be moved: then the mark is taken from the part.
      if (!isMarked(message, key) || parts.some((part) => part.value === message)) return
      walk.report(bound, 'unsupported', [index], {}, [{ do: 'rewrite', message: index, with: unmark(key) }])
    },
    end(walk, bound) {
      const key = keyOf(bound)
      for (const name of (bound.law['body'] as readonly string[] | undefined) ?? []) {
        const list = walk.body?.[name]
        if (!Array.isArray(list) || !list.some((one) => isMarked(one, key))) continue
        walk.report(bound, 'unsupported', [], {}, [{ do: 'body', key: name, value: list.map(unmark(key)) }])
      }
    },
  },
})

function checkPart(part: Part, bound: Bound, walk: Walk): void {
  const key = keyOf(bound)
  const inner = part.kind === 'result' && Array.isArray(part.body) && part.body.some((one) => isMarked(one, key))
  if (isMarked(part.value, key)) {
    walk.report(bound, 'unsupported', part, {}, [{ do: 'replace', part, with: unmark(key) }])
  }
  if (!inner) return
  const result = (part.body as readonly unknown[]).map(unmark(key))
  walk.report(bound, 'unsupported', part, {}, [{ do: 'write', part, change: { result } }])
}

function keyOf({ law }: Bound): string {
  return (law['key'] ?? 'cache_control') as string
}

function isMarked(value: unknown, key: string): value is JsonObject {
  return isObject(value) && Object.hasOwn(value, key) && value[key] !== undefined
}

function unmark(key: string): (value: unknown) => unknown {
  return (value) => (isMarked(value, key) ? withKey(value, key, undefined) : value)
}
