import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  own,
  type Part,
  type Step,
  speaksOf,
  type Walk,
} from '../core/index.ts'
import { isLegalName, legalName, legalNames } from './name.ts'
import { asRead } from './odd-keys.ts'

export const explanation: Explanation = {
  says: 'A call names its tool in the letters its provider allows.',
  why: 'A name the model made up is stored once and refused on every later turn.',
  refusals: [
    /tool_calls\[\w+\]\.function\.name'?: (?:string does not match|empty string|string too long)/i,
    /input\[\w+\]\.name'?: (?:string does not match|empty string|string too long)/i,
    /tool_use\.name: String should/i,
    /toolUse\.name'? failed to satisfy constraint/i,
    /function_(?:call|response)\.name: Name cannot be empty/i,
  ],
}

/** Law: `pattern` — RegExp a tool's name must match, whole (default: letters, digits, `_`, `-`) · `max` — how many characters it may have · `served` — true: also of tools that the provider runs. */
export const toolCallNameInvalid = defineRule({
  id: 'tool-call-name-invalid',
  repair: 'safe',
  quiet: (bound) => {
    if (bound.refused) return undefined
    // A plain call has a name that says something.
    if (!speaksOf(bound, 'name')) return {}
    const isLegal = legalNames(bound.law)
    return { call: (_id, name) => isLegal(name) }
  },
  messages: {
    name: 'Call {call} has the name "{name}", which this provider does not take.',
    empty: 'The name of call {call} is empty.',
    none: 'Call {call} does not say the name of its tool.',
  },
  checks: {
    call(part, bound, walk) {
      if (part.name !== undefined && isLegalName(part.name, bound.law)) return
      const id = faultOf(part)
      if (part.server && bound.law['served'] !== true) return
      if (!speaksOf(bound, id) || (id === 'none' && hasNoName(part) && !bound.refused)) return
      if (part.server) walk.report(bound, id, part, dataOf(part), [renamed(part, bound, part)])
      else walk.recall<Misnamed[]>(bound, () => []).push({ bound, id, call: walk.pairing.count - 1 })
    },
    end(walk, bound) {
      for (const misnamed of (walk.memory.get(bound.rule.id) as Misnamed[] | undefined) ?? []) {
        if (misnamed.bound === bound) report(walk, misnamed)
      }
    },
  },
})

interface Misnamed {
  readonly bound: Bound
  readonly id: string
  readonly call: number
}

function report(walk: Walk, { bound, id, call }: Misnamed): void {
  const part = walk.pairing.callAt(call)
  const answer = walk.pairing.answerAt(call)
  const steps: Step[] = [renamed(part, bound, part)]
  if (answer?.name !== undefined) steps.push(renamed(part, bound, answer))
  walk.report(asRead(bound, part, walk), id, part, dataOf(part), steps)
}

function dataOf({ id, name }: Part) {
  return { call: id ?? '(no id)', name: name ?? '' }
}

/** The call, or its result, with a name that is legal. */
function renamed({ name }: Part, { law }: Bound, part: Part): Step {
  return { do: 'write', part, change: { name: legalName(name ?? '', law) ?? 'unknown_tool' } }
}

/** An empty name is one that says nothing; anything else that is no text is none. */
function faultOf({ name, value }: Part): string {
  if (name !== undefined) return 'name'
  const inner = ['function', 'custom', 'functionCall', 'toolUse'].map((key) => own(value, key)).find(isObject) ?? value
  return own(inner, 'name') === '' || own(inner, 'toolName') === '' ? 'empty' : 'none'
}

/** A kind of call that has no name in its shape (a shell's, a computer's) is none the model misnamed. */
function hasNoName({ type }: Part): boolean {
  return type.endsWith('_call') && type !== 'function_call' && !type.startsWith('custom')
}
