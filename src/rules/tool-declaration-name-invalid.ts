import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { isLegalName, type NameParams } from './lib/legal-name.ts'

/** Needs the request. */
export const toolDeclarationNameInvalid = defineRule({
  id: 'tool-declaration-name-invalid',
  phase: 'structure',
  repair: 'none',
  messages: { name: 'The tool "{name}" is declared under a name that {rejects}. Rename the tool.' },
  check(t, constraint: Bound<NameParams>, report) {
    if (!t.request) return
    // What has no name is not a function: a tool that the provider runs itself.
    for (const name of t.dialect.declaredTools?.(t.request) ?? [])
      if (name !== undefined && !isLegalName(name, constraint)) report('name', [], { name })
  },
})

export const explanation: Explanation = {
  summary: 'A declared tool has a name that the provider allows.',
  why: 'The request is rejected. Editing the history does not help: rename the tool.',
}
