import { type Bound, defineRule, type Explanation, type Step, type Walk } from '../core/index.ts'
import { isLegalName, legalName, legalNames } from './name.ts'

export const explanation: Explanation = {
  says: 'A call names its tool in the letters its provider allows.',
  why: 'A name the model made up is stored once and refused on every later turn.',
  refusals: [
    /tool_calls\[\w+\]\.function\.name'?: (?:string does not match|empty string|string too long)/i,
    /input\[\w+\]\.name'?: (?:string does not match|empty string|string too long)/i,
    /tool_use\.name: String should/i,
    /toolUse\.name'? failed to satisfy constraint/i,
  ],
}

/**
 * Law: `pattern` — RegExp a tool's name must match, whole (default: letters, digits, `_`, `-`) · `max` — how many characters it may have ·
 * `missing` — true: this law is about calls without a name, which no schema takes, and about nothing else.
 */
export const toolCallNameInvalid = defineRule({
  id: 'tool-call-name-invalid',
  repair: 'safe',
  quiet: ({ law, refused }) => {
    if (refused) return undefined
    if (law['missing'] === true) return {}
    const isLegal = legalNames(law)
    return { call: (_id, name) => isLegal(name) }
  },
  messages: { name: 'Call {call} has the name "{name}", which this provider does not take.' },
  checks: {
    call(part, bound, walk) {
      if (part.server) return
      const missing = bound.law['missing'] === true
      if (part.name !== undefined && (missing || isLegalName(part.name, bound.law))) return
      if (part.name !== undefined || missing || !hasMissing(walk, bound))
        walk.recall<number[]>(bound, () => []).push(walk.pairing.count - 1)
    },
    end(walk, bound) {
      const missing = bound.law['missing'] === true
      for (const call of (walk.memory.get(bound.rule.id) as number[] | undefined) ?? []) {
        if ((walk.pairing.callAt(call).name === undefined) === missing || !hasMissing(walk, bound))
          report(walk, call, bound)
      }
    },
  },
})

function hasMissing(walk: Walk, bound: Bound): boolean {
  return walk.plan.bounds.get(bound.rule.id)!.some(({ law }) => law['missing'] === true)
}

function report(walk: Walk, call: number, bound: Bound): void {
  const part = walk.pairing.callAt(call)
  // A kind of call that has no name in its shape (a shell's, a computer's) is none the model misnamed.
  if (part.name === undefined && !bound.refused && bound.law['missing'] !== true && !namesItself(part.value)) return
  const name = legalName(part.name ?? '', bound.law) ?? 'unknown_tool'
  const answer = walk.pairing.answerAt(call)
  const steps: Step[] = [{ do: 'write', part, change: { name } }]
  if (answer?.name !== undefined) steps.push({ do: 'write', part: answer, change: { name } })
  walk.report(bound, 'name', part, { call: part.id ?? '(no id)', name: part.name ?? '' }, steps)
}

/** The shape has room for a name, and it is empty or odd. */
function namesItself(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  for (const key of ['function', 'custom', 'functionCall', 'toolUse']) {
    const inner = (value as Record<string, unknown>)[key]
    if (Object.hasOwn(value, key) && typeof inner === 'object' && inner !== null) return Object.hasOwn(inner, 'name')
  }
  return Object.hasOwn(value, 'name') || Object.hasOwn(value, 'toolName')
}
