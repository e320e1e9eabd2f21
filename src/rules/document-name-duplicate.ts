import { defineRule, type Explanation, isObject, valueAt, withValueAt } from '../core/index.ts'

export const explanation: Explanation = {
  says: 'No two documents have the same name.',
  why: 'Documents are told apart by their names.',
  refusals: [/documents? .{0,60}(?:same|duplicate) names?|duplicate document names?/i],
}

/** Law: `at` — where in the native part a document has its name (default `document`, `name`). */
export const documentNameDuplicate = defineRule({
  id: 'document-name-duplicate',
  repair: 'safe',
  messages: { duplicate: 'An earlier document has the name "{name}" too.' },
  checks: {
    media(part, bound, walk) {
      const at = (bound.law['at'] as readonly string[] | undefined) ?? ['document', 'name']
      const name = valueAt(part.value, at)
      if (typeof name !== 'string') return
      const names = walk.recall(bound, () => new Map<string, number>())
      const seen = names.get(name) ?? 0
      names.set(name, seen + 1)
      if (seen === 0) return
      let n = seen + 1
      while (names.has(`${name}-${n}`)) n++
      const now = `${name}-${n}`
      names.set(now, 1)
      walk.report(bound, 'duplicate', part, { name }, [
        { do: 'replace', part, with: (value) => (isObject(value) ? withValueAt(value, at, now) : value) },
      ])
    },
  },
})
