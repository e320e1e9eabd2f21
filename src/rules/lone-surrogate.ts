import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  isWellFormedDeep,
  type NoParams,
  type Step,
  type Transcript,
} from '../core/index.ts'
import { IdsBefore, renameCall } from './lib/call-ids.ts'
import { faultIn, wellFormed } from './lib/surrogates.ts'

export const loneSurrogate = defineRule({
  id: 'lone-surrogate',
  phase: 'shape',
  aboutText: true,
  repair: 'lossy',
  messages: {
    surrogate:
      'A string in message {index} has half of a surrogate pair; {rejects} such text. {Repair} replaces it with U+FFFD.',
    body: 'A string under `{key}` has half of a surrogate pair; {rejects} such text. {Repair} replaces it with U+FFFD.',
  },
  check(t, _constraint: Bound<NoParams>, report) {
    for (const i of t.keys.illFormed)
      report('surrogate', [i, ...faultIn(t.history[i])], {}, fixMessage(t, i), { harmless: true })
    for (const key of Object.keys(t.request ?? {})) {
      const value = t.request![key]
      if (key === t.dialect.key || isWellFormedDeep(value)) continue
      report('body', [], { key }, [{ do: 'set-request', key, value: wellFormed(value) }], { harmless: true })
    }
  },
})

/** Two ids that differ only in the broken half would become one: they get new names, call and result together. */
function fixMessage(t: Transcript, i: number): Fix {
  const ids = new IdsBefore()
  const renames = t
    .partsOf(i)
    .filter(({ order, id }) => order >= 0 && id !== undefined && !id.isWellFormed())
    .flatMap((call) => renameCall(t, call, ids.hashed(call.id!)))
  if (renames.length > 0) return renames
  const parts = t.partsOf(i).filter((part) => !isWellFormedDeep(part.value))
  const isWhole = parts.some(({ list }) => list.length === 0)
  const steps: Step[] = parts.map((part) => ({ do: 'replace', part, value: wellFormed(part.value) }))
  if (isWhole || parts.length > 0) return steps
  return [{ do: 'replace-message', message: i, value: wellFormed(t.history[i]) }]
}

export const explanation: Explanation = {
  summary: 'Every string, and every key, is well-formed Unicode.',
  why: 'Half of a surrogate pair, left when a text is cut inside an emoji, makes the body invalid JSON for the provider.',
  repair: 'Repair replaces each half by U+FFFD, in every string and every key.',
}
