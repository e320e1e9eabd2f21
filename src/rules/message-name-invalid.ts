import { defineRule, type Explanation, isObject } from '../core/index.ts'
import { isLegalName, legalName, legalNames } from './name.ts'
import { setKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'The name of a speaker is written in the letters its provider allows.',
  why: 'A blank in a user name makes the request invalid.',
  refusals: [/messages\[\w+\]\.name'?: (?:string does not match|empty string|string too long)/i],
}

/** Law: `pattern` — RegExp the `name` of a message must match, whole (default: letters, digits, `_`, `-`) · `max` — how many characters it may have. */
export const messageNameInvalid = defineRule({
  id: 'message-name-invalid',
  repair: 'safe',
  quiet: ({ law, refused }) => (refused ? undefined : { name: legalNames(law) }),
  messages: { name: 'The speaker\'s name "{name}" is not one this provider takes.' },
  checks: {
    message({ index, message }, bound, walk) {
      // Read in place: a look-up that all rules share is slower than all of them.
      const name = isObject(message) ? message['name'] : undefined
      if (typeof name !== 'string' || isLegalName(name, bound.law)) return
      const legal = legalName(name, bound.law)
      walk.report(bound, 'name', [index, 'name'], { name }, [setKey(index, 'name', legal)])
    },
  },
})
