/** Messages, calls and results that were stored twice, and ids that are not unique. */
import { type Part, valueAt, withValueAt } from '../../core/index.ts'
import type { Draft } from './draft.ts'
import { PLACEHOLDERS } from './placeholders.ts'
import { corruption } from './types.ts'

export const copies = [
  corruption(
    'resume-duplicates-answer',
    'A resume wrote the last answer, with its calls and results, once more.',
    'anthropics/claude-code#28515',
    (draft) => {
      const at = draft.rounds().at(-1)
      if (at === undefined) return false
      let end = draft.lastOfAnswer(at) + 1
      while (end < draft.messages.length && draft.role(end) !== 'assistant') end++
      draft.insert(end, ...structuredClone(draft.messages.slice(at, end)))
      return true
    },
  ),
  corruption(
    'calling-message-twice',
    'The message with the calls was stored twice in a row.',
    'anthropics/claude-code#20901',
    (draft) => draft.changeRound((at) => draft.insert(at + 1, structuredClone(draft.messages[at]))),
  ),
  corruption('result-copied', 'One result was stored twice, byte for byte.', 'anomalyco/opencode#1211', (draft) =>
    addSecond(draft, (part) => structuredClone(part.value), false),
  ),
  corruption(
    'result-twice-truncated',
    'A result was stored whole and once more in a truncated form.',
    'agno-agi/agno#5116',
    (draft) =>
      addSecond(
        draft,
        (part) => {
          const { text } = draft.dialect.content(part)
          const cut = `${text.slice(0, Math.ceil(text.length / 2))}\n[truncated, the whole output is in a file]`
          return draft.dialect.write(part, structuredClone(part.value), { result: cut })
        },
        draft.random.chance(50),
      ),
  ),
  corruption(
    'placeholder-and-result',
    'A placeholder for an aborted call was stored, and the real result too.',
    'HKUDS/nanobot#3945',
    (draft) => {
      const text = draft.random.pick(PLACEHOLDERS)
      const made = (part: Part) => draft.dialect.write(part, structuredClone(part.value), { result: text })
      return addSecond(draft, made, draft.random.chance(50))
    },
  ),
  corruption(
    'placeholder-then-late-result',
    'A placeholder is where the result belongs; the real result was appended at the end.',
    'fatwang2/search2ai#30',
    (draft) =>
      draft.changePart('result', (part) => {
        const { value } = part
        draft.write(part, { result: draft.random.pick(PLACEHOLDERS) })
        draft.messages.push(...draft.dialect.wrapResults([value]))
      }),
  ),
  corruption(
    'parallel-calls-split',
    'Parallel calls were stored as one message each, all with the same message id; the results follow together or in turn.',
    'anthropics/claude-code#6696',
    (draft) => draft.changeRound((at) => splitCalls(draft, at)),
  ),
  corruption(
    'ids-used-again',
    'The client numbers calls from the start in every turn, so that later calls have the ids of earlier ones.',
    'anomalyco/opencode#1150',
    (draft) => renumber(draft, (_id, within) => `call_${within}`),
  ),
  corruption(
    'ids-cut-equal',
    'Ids were cut to a length at which those of parallel calls are equal.',
    'BerriAI/litellm#23510',
    (draft) => renumber(draft, (id) => id.slice(0, 4)),
  ),
  corruption(
    'ids-illegal',
    'Ids of another provider: dots and colons, too long, or with a signature in them.',
    'anomalyco/opencode#1279',
    (draft) => {
      const style = draft.random.below(3)
      return renumber(draft, (id, _within, all) =>
        style === 0
          ? `functions.tool:${all}`
          : style === 1
            ? `call_${id}_${'0123456789abcdef'.repeat(5)}`
            : `${id}|${all}`,
      )
    },
  ),
  corruption('ids-lost', 'Ids are empty on both sides, or only on the result.', 'earendil-works/pi#2917', (draft) => {
    const both = draft.random.chance(50)
    const found = draft
      .parts()
      .filter(({ kind, server }) => !server && (kind === 'result' || (both && kind === 'call')))
    for (const part of found) draft.write(part, { id: '' })
    return found.length > 0
  }),
] as const

/** A second result next to the first, before or after it. */
function addSecond(draft: Draft, make: (part: Part) => unknown, before: boolean): boolean {
  return draft.changePart('result', (part) => {
    const value = make(part)
    if (part.index >= 0) {
      const message = draft.messages[part.message] as Record<string, unknown[]>
      message[part.list[0]!]!.splice(part.index + (before ? 0 : 1), 0, value)
    } else draft.insert(part.message + (before ? 0 : 1), value)
  })
}

function splitCalls(draft: Draft, at: number): boolean {
  if (draft.dialect.items) return false
  const calls = draft.partsOf(at).filter(({ kind, server, index }) => kind === 'call' && !server && index >= 0)
  const [first] = calls
  if (!first || calls.length < 2) return false
  const message = draft.messages[at]
  const later = new Set(calls.slice(1).map(({ value }) => value))
  const own = (valueAt(message, first.list) as unknown[]).filter((one) => !later.has(one))
  const bare =
    first.list[0] === 'content' || first.list[0] === 'parts' ? message : withValueAt(message, ['content'], '')
  const lines = [...later].map((value) => withValueAt(bare, first.list, [value]))
  draft.messages.splice(at, 1, withValueAt(message, first.list, own), ...lines)
  return true
}

/** A new id for each call and its result, from the old id, its index in its message, and its index among all. */
function renumber(draft: Draft, rename: (id: string, within: number, all: number) => string): boolean {
  const calls = draft.parts('call')
  const names = new Map<string, string[]>()
  let [message, within] = [-1, 0]
  calls.forEach((call, all) => {
    within = call.message === message ? within + 1 : 0
    message = call.message
    const name = rename(call.id ?? `none${all}`, within, all)
    if (call.id !== undefined) names.set(call.id, [...(names.get(call.id) ?? []), name])
    draft.write(call, { id: name })
  })
  for (const result of draft.parts('result')) {
    const waiting = result.id === undefined ? undefined : names.get(result.id)
    const name = waiting && waiting.length > 1 ? waiting.shift() : waiting?.[0]
    if (name !== undefined) draft.write(result, { id: name })
  }
  return calls.length > 0
}
