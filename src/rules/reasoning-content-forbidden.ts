import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  type JsonObject,
  type Part,
  type Step,
  withKey,
} from '../core/index.ts'

export const explanation: Explanation = {
  says: 'A message carries no reasoning in a key that the provider does not know.',
  why: 'Providers with a strict schema refuse the reasoning that another one returned.',
  refusals: [
    /reasoning(?:_content|_details)?"?\]?,? ?"?(?:msg"?:)? ?"?:? ?Extra inputs are not permitted/i,
    /property '(?:[^']{0,200}\.)?reasoning(?:_content|_details)?' is unsupported/i,
  ],
}

const ALL = ['reasoning_content', 'reasoning', 'reasoning_details']

/** Law: `keys` — keys of a message in which other services keep reasoning; the usual three if not said. */
export const reasoningContentForbidden = defineRule({
  id: 'reasoning-content-forbidden',
  repair: 'lossy',
  messages: { forbidden: 'This message carries {keys}.' },
  checks: {
    message({ index, message, parts }, bound, walk) {
      if (!isObject(message)) return
      const keys = keysOf(bound)
      if (!keys.some((key) => has(message, key))) return
      const found = keys.filter((key) => has(message, key))
      walk.report(bound, 'forbidden', [index], { keys: found.join(', ') }, [
        change(
          index,
          parts.find((part) => part.value === message),
          (now) => found.reduce(without, now as JsonObject),
        ),
      ])
    },
  },
})

function keysOf({ law }: Bound): readonly string[] {
  return (law['keys'] as readonly string[] | undefined) ?? ALL
}

function has(message: JsonObject, key: string): boolean {
  return Object.hasOwn(message, key) && message[key] !== undefined
}

/** A message that is one part, as a result may be, can be moved: then the part changes. */
function change(message: number, part: Part | undefined, how: (value: unknown) => unknown): Step {
  return part ? { do: 'replace', part, with: how } : { do: 'rewrite', message, with: how }
}

function without(message: JsonObject, key: string): JsonObject {
  return withKey(message, key, undefined)
}
