import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  type Part,
  type ProviderPairing,
  pairingSeverity,
  type Severity,
  type Transcript,
  type UnmatchedResult,
} from '../core/index.ts'
import { IdsBefore, isNamed, placeText } from './lib/call-ids.ts'
import { completing, discardResult, orphanLabel } from './lib/result-notes.ts'

export interface ToolResultOrphan {
  /** How the provider itself pairs; without it our pairing decides. */
  readonly pairing?: ProviderPairing
  /** Native types of results that this is known for; other types are only a warning. Default: all. */
  readonly types?: readonly string[]
  /** Native types of results that may name their tool instead of a call: without an id they are only a warning. */
  readonly named?: readonly string[]
}

export const toolResultOrphan = defineRule({
  id: 'tool-result-orphan',
  phase: 'structure',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    orphan:
      'The result for {call} in message {index} answers no call in this history; {rejects} it. {Repair} keeps its content as a labeled note, or does what `policy.orphan` says.',
    early:
      'The result for {call} in message {index} is before its call; {rejects} it. {Repair} puts it after the call, or keeps its content as a labeled note.',
    again:
      'The result for {call} in message {index} comes after that call was answered; {rejects} it. {Repair} keeps content that differs as a labeled note, or does what `policy` says.',
  },
  check(t, constraint: Bound<ToolResultOrphan>, report) {
    const { unmatched } = t.pairs
    if (unmatched.length === 0) return
    const keyOf = (part: Part) => `${t.dialect.callType?.(part) ?? ''} ${part.id ?? ''}`
    const called = t.dialect.resultPlacement === 'anywhere' ? new Set(t.calls.map(keyOf)) : undefined
    for (const result of unmatched) {
      const { part, outcome } = result
      const of = result.call < 0 ? part.message : t.calls[result.call]!.message
      const isKnown = (constraint.types?.includes(part.type) ?? true) && !isNamed(part, constraint)
      const severity = isKnown ? severityAt(t, constraint, part, of) : 'warning'
      const data = { call: part.id ?? '(no id)' }
      if (outcome === 'early' && called) report('early', part, data, completing(result.call), { severity: 'warning' })
      else if (outcome === 'duplicate' && !result.inSlot) {
        const { fix, harmless } = discardResult(result, t)
        report('again', part, data, fix, { severity: called ? 'warning' : severity, harmless })
      } else if (outcome === 'orphan' && called?.has(keyOf(part)))
        report('early', part, data, keepContent(result, t), { severity: 'warning' })
      else if (outcome === 'orphan' && !isAnsweredElsewhere(result, t))
        report('orphan', part, data, keepContent(result, t), { severity })
    }
  },
})

/** Where results are parts of a user's message, none is legal among the model's own, however the provider counts. */
function severityAt(t: Transcript, constraint: Bound<ToolResultOrphan>, part: Part, of: number): Severity {
  if (t.dialect.blocks && t.isAssistant(part.message)) return constraint.severity
  return pairingSeverity(t, constraint, [part.message, of])
}

/** The provider holds earlier turns itself, where the call may be, or it made the call. */
function isAnsweredElsewhere({ part }: UnmatchedResult, t: Transcript): boolean {
  if (part.id === undefined) return false
  if (t.serverPairs.open.has(part.id)) return true
  return t.holdsEarlierTurns
}

function keepContent({ part, round }: UnmatchedResult, t: Transcript): Fix {
  if (t.policy.orphan === 'drop') return [{ do: 'remove', part }]
  if (t.policy.orphan === 'note') return [{ do: 'note', part, label: orphanLabel(part) }, ...completing(round)]
  const ids = new IdsBefore()
  for (const { id } of t.calls) ids.add(id)
  const id = part.id === undefined ? ids.hashed(placeText(part)) : ids.has(part.id) ? ids.numbered(part.id) : part.id
  return [{ do: 'rebuild-call', part, id, name: part.name ?? 'unknown_tool' }, ...completing(round)]
}

export const explanation: Explanation = {
  summary: 'Every result answers an earlier call.',
  why: 'A result without its call makes the provider reject the whole request.',
  repair: 'Repair turns the result into a labeled user note.',
}
