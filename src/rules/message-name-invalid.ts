import { type Bound, defineRule, type Explanation, isObject } from '../core/index.ts'
import { isLegalName, legalName, type NameParams } from './lib/legal-name.ts'

export const messageNameInvalid = defineRule({
  id: 'message-name-invalid',
  phase: 'shape',
  repair: 'safe',
  about: () => ({ messageKeys: ['name'] }),
  messages: {
    name: 'Message {index} has the name "{name}", which {rejects}. {Repair} replaces the characters that are not allowed.',
  },
  check(t, constraint: Bound<NameParams>, report) {
    for (let i = 0; i < t.history.length; i++) {
      const message = t.history[i]
      const name = isObject(message) ? message['name'] : undefined
      if (typeof name !== 'string' || isLegalName(name, constraint)) continue
      report('name', [i, 'name'], { name }, [
        { do: 'set', message: i, key: 'name', value: legalName(name, constraint) },
      ])
    }
  },
})

export const explanation: Explanation = {
  summary: 'The `name` of a message has only characters that the provider allows.',
  why: 'A space in a user name makes the request invalid.',
  repair: 'Repair replaces such characters by `_`.',
}
