import { type Bound, defineRule, type Explanation, isObject, type Path, valueAt, withValueAt } from '../core/index.ts'

export interface DocumentNameInvalid {
  /** Where in the native part a document has its name. Default: `document`, `name`. */
  readonly at?: Path
}

export const documentNameInvalid = defineRule({
  id: 'document-name-invalid',
  phase: 'structure',
  about: () => ({ parts: ['media'] }),
  repair: 'safe',
  messages: {
    invalid:
      'Message {index} has a document named "{name}"; {rejects} other characters than letters, digits, single spaces, hyphens, parentheses and brackets. {Repair} renames it.',
  },
  check(t, { at = ['document', 'name'] }: Bound<DocumentNameInvalid>, report) {
    for (const part of t.media) {
      const name = valueAt(part.value, at)
      if (typeof name !== 'string' || !isObject(part.value)) continue
      const allowed = allowedName(name)
      if (allowed !== name)
        report('invalid', part, { name }, [{ do: 'replace', part, value: withValueAt(part.value, at, allowed) }])
    }
  },
})

function allowedName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9\s()[\]-]/g, '-').replace(/\s+/g, ' ')
  return plain.trim() === '' ? 'document' : plain
}

export const explanation: Explanation = {
  summary: 'The name of a document has only characters that the provider allows.',
  why: 'A dot, an underscore or two spaces in a file name make the request invalid, in this turn and in every later one.',
  repair: 'Repair writes a hyphen for other characters, and one space for several.',
}
