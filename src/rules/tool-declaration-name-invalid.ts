import { defineRule, type Explanation, own } from '../core/index.ts'
import { declarations, nameOf } from './declared.ts'
import { isLegalName } from './name.ts'

export const explanation: Explanation = {
  says: 'A declared tool has a name its provider takes.',
  why: 'The request is refused; no edit of the history helps.',
  refusals: [
    /'?tools\[\w+\](?:\.function)?\.name'?: (?:string does not match|empty string|string too long)/i,
    /function_declarations\[\w+\]\.name: Invalid function name/i,
    /toolSpec\.name'? failed to satisfy constraint/i,
  ],
}

/** Law: `pattern` — RegExp a declared name must match, whole (default: letters, digits, `_`, `-`) · `max` — how many characters · `under` — only names under this key of a declaration are looked at. Needs the request body. */
export const toolDeclarationNameInvalid = defineRule({
  id: 'tool-declaration-name-invalid',
  repair: 'none',
  messages: { name: 'The declared name "{name}" is not one this provider takes.' },
  checks: {
    end(walk, bound) {
      if (!walk.body) return
      for (const declaration of declarations(walk.body)) {
        const under = bound.law['under'] as string | undefined
        const name = under === undefined ? nameOf(declaration) : own(own(declaration, under), 'name')
        // What has no name is no function: a tool that the provider runs itself.
        if (typeof name === 'string' && !isLegalName(name, bound.law)) walk.report(bound, 'name', [], { name })
      }
    },
  },
})
