import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  type NoParams,
  valueAt,
  withValueAt,
} from '../core/index.ts'

const NAME = ['document', 'name']

export const documentNameDuplicate = defineRule({
  id: 'document-name-duplicate',
  phase: 'structure',
  about: () => ({ parts: ['media'] }),
  repair: 'safe',
  messages: {
    duplicate:
      'Message {index} has a document named "{name}", as an earlier one is; {rejects} equal names. {Repair} appends a number.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    const names = new Map<string, number>()
    for (const part of t.media) {
      const name = valueAt(part.value, NAME)
      if (typeof name !== 'string' || !isObject(part.value)) continue
      const seen = names.get(name) ?? 0
      names.set(name, seen + 1)
      if (seen === 0) continue
      let n = seen + 1
      while (names.has(`${name}-${n}`)) n++
      names.set(`${name}-${n}`, 1)
      report('duplicate', part, { name }, [
        { do: 'replace', part, value: withValueAt(part.value, NAME, `${name}-${n}`) },
      ])
    }
  },
})

export const explanation: Explanation = {
  summary: 'No two documents have the same name.',
  why: 'The provider distinguishes documents by name and rejects duplicates.',
  repair: 'Repair renames the later one (`report-2`).',
}
