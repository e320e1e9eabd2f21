import { defineRule, type Explanation, type Walk } from '../core/index.ts'
import { watchId, watchPlain } from './id-watch.ts'
import { shared } from './memory.ts'
import { asRead, isUnread } from './odd-keys.ts'
import { hasIdField, renamePair, renames } from './rename.ts'
import { asSeen, strayAsSeen } from './seen.ts'

export const explanation: Explanation = {
  says: 'Every call has an id, and its result names it.',
  why: 'A provider that pairs by id cannot pair without one.',
  refusals: [
    /Invalid '?input\[\w+\]\.call_id'?: empty string/i,
    /Missing required parameter: '?input\[\w+\]\.call_id/i,
    /tool_calls\[\w+\]\.id'?: empty string/i,
    /Tool call id has to be defined/i,
    /missing field `?tool_call_id/i,
    /tool_call_id: Field required/i,
  ],
}

/** Law: `always` — true: an id that is not there is refused as such, whatever the provider makes of the pairs · `half` — true: this law is about pairs of which one side has an id and the other has none; without it, about calls that have none. */
export const toolCallIdEmpty = defineRule({
  id: 'tool-call-id-empty',
  repair: 'safe',
  quiet: ({ refused }) => (refused ? undefined : { call: watchPlain }),
  messages: {
    call: 'A call of {name} has no id.',
    result: 'The result of call {call} does not say which call it answers.',
    nameless: 'This result does not say which call it answers.',
    twin: 'A call of {name} has no id, and neither has a result of its turn.',
    shared: 'The result of call {call} does not say which call it answers, and another one of that id is answered.',
  },
  checks: {
    call(part, bound, walk) {
      watchId(part, bound, walk)
      if (part.id === undefined && !part.server) walk.recall(bound, () => true)
    },
    result(part, bound, walk) {
      if (part.id === undefined && !part.server) walk.recall(bound, () => true)
    },
    end(walk, bound) {
      if (!walk.memory.has(bound.rule.id)) return
      const { pairing } = walk
      const half = bound.law['half'] === true
      const always = bound.law['always'] === true
      for (let i = 0; i < pairing.count; i++) {
        const call = pairing.callAt(i)
        const answer = pairing.answerAt(i)
        if (call.id !== undefined && (!answer || answer.id !== undefined)) continue
        if (!hasIdField(call) || isUnread(call, walk)) continue
        if (half !== (answer !== undefined && (call.id === undefined) !== (answer.id === undefined))) continue
        const seen = always
          ? asRead(bound, call, walk)
          : asSeen(bound, walk, call.message, answer?.message ?? call.message)
        if (call.id === undefined) {
          const id = half && isShared('', i, walk) ? 'twin' : 'call'
          walk.report(seen, id, call, { name: call.name ?? '(no name)' }, renamePair(walk, i))
          continue
        }
        const steps = renames(walk).has(i)
          ? renamePair(walk, i)
          : [{ do: 'write', part: answer!, change: { id: call.id } } as const]
        walk.report(seen, isShared(call.id, i, walk) ? 'shared' : 'result', answer!, { call: call.id }, steps)
      }
      // The provider may hold the call, but no call is found by no id.
      if (!half && walk.dialect.items) {
        for (const { part, fate } of walk.pairing.strays)
          if (fate === 'orphan' && part.id === undefined) walk.report(asRead(bound, part, walk), 'nameless', part, {})
      }
      // A second result that names no call is a pair of which one side has an id, too.
      if (!half && walk.plan.bounds.get(bound.rule.id)!.some(({ law }) => law['half'] === true)) return
      for (const stray of pairing.strays) {
        const { part, fate, call } = stray
        const id = fate === 'duplicate' && part.id === undefined ? pairing.callAt(call).id : undefined
        if (id === undefined) continue
        const steps = [{ do: 'write', part, change: { id } } as const]
        walk.report(
          always ? asRead(bound, part, walk) : strayAsSeen(bound, stray, walk),
          'result',
          part,
          { call: id },
          steps,
        )
      }
    },
  },
})

/** Another result of the same turn names this id, or none as this call does: who pairs by id alone misses nothing. */
function isShared(id: string, call: number, walk: Walk): boolean {
  return shared(walk, 'named ids', namedIds).has(`${walk.pairing.roundOf(call)} ${id}`)
}

function namedIds({ pairing }: Walk): ReadonlySet<string> {
  const named = new Set<string>()
  for (let i = 0; i < pairing.count; i++) {
    const answer = pairing.answerAt(i)
    if (answer) named.add(`${pairing.roundOf(i)} ${answer.id ?? ''}`)
  }
  for (const { part, round } of pairing.strays) named.add(`${round} ${part.id ?? ''}`)
  return named
}
