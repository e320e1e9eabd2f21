import {
  type Bound,
  defineRule,
  type Explanation,
  type Part,
  type ProviderPairing,
  pairingSeverity,
  type Severity,
  type Transcript,
} from '../core/index.ts'
import { hasIdField, IdsBefore, isNamed, placeText, renameCall } from './lib/call-ids.ts'

export interface ToolCallIdEmpty {
  /** This constraint is about pairs with an id on one side only; without it, about calls without an id. */
  readonly half?: boolean
  /** How the provider itself pairs: a pair that it finds without ids is a warning. Absent: every missing id counts. */
  readonly pairing?: ProviderPairing
  /** Native types of calls that this is known for; other types are only a warning. Default: all. */
  readonly types?: readonly string[]
  /** Native types of results that may name their tool instead of a call. */
  readonly named?: readonly string[]
}

export const toolCallIdEmpty = defineRule({
  id: 'tool-call-id-empty',
  phase: 'structure',
  about: () => ({ parts: ['calls', 'results'] }),
  repair: 'safe',
  messages: {
    call: 'The call of {name} in message {index} has no id; {rejects} it. {Repair} gives the call and its result one.',
    result:
      'The result for call {call} in message {index} does not name that call; {rejects} it. {Repair} writes the id.',
    nameless:
      'The result in message {index} does not name the call that it answers; {rejects} it. {Repair} gives it an id.',
  },
  check(t, constraint: Bound<ToolCallIdEmpty>, report) {
    const { pairs } = t
    const half = constraint.half === true
    for (const call of t.calls) {
      const result = pairs.results[call.order]
      if ((call.id !== undefined && (!result || result.id !== undefined)) || !hasIdField(call)) continue
      if (half !== (result !== undefined && (call.id === undefined) !== (result.id === undefined))) continue
      const severity = severityOf(t, constraint, result ?? call, [call.message, result?.message ?? call.message])
      // Neither a model nor a person reads an id.
      if (call.id === undefined) {
        const id = result?.id ?? idsOf(t).hashed(placeText(call))
        report('call', call, { name: call.name ?? '(no name)' }, renameCall(t, call, id), { severity, harmless: true })
      } else {
        const fix = [{ do: 'write', part: result!, change: { id: call.id } } as const]
        report('result', result!, { call: call.id }, fix, { severity, harmless: !isNamed(result!, constraint) })
      }
    }
    for (const { part, outcome, call } of pairs.unmatched) {
      if (part.id !== undefined) continue
      const severity = severityOf(t, constraint, part, [part.message])
      const id = outcome === 'duplicate' ? t.calls[call]!.id : undefined
      if (half && id !== undefined)
        report('result', part, { call: id }, [{ do: 'write', part, change: { id } }], { severity })
      else if (!half && outcome === 'orphan' && t.dialect.items) report('nameless', part, {}, [], { severity })
    }
  },
})

/** Only for calls without an id: nearly every history has none. */
function idsOf(t: Transcript): IdsBefore {
  return t.derive(idsOf, () => {
    const ids = new IdsBefore()
    for (const { id } of t.calls) ids.add(id)
    return ids
  })
}

function severityOf(
  t: Transcript,
  constraint: Bound<ToolCallIdEmpty>,
  part: Part,
  messages: readonly number[],
): Severity {
  const isKnown = (constraint.types?.includes(part.type) ?? true) && !isNamed(part, constraint)
  return isKnown ? pairingSeverity(t, constraint, messages) : 'warning'
}

export const explanation: Explanation = {
  summary: 'Every call has an id, and its result has the same id.',
  why: 'A provider that matches results by id cannot do so without one.',
  repair: 'Repair gives call and result an id that is derived from the position of the call.',
}
