import {
  defineRule,
  type Explanation,
  HAS_RESULT,
  own,
  type Part,
  type Step,
  type Stray,
  type Walk,
} from '../core/index.ts'
import { passOf } from './count.ts'
import { discard } from './discard.ts'
import { shared } from './memory.ts'
import { isLegalName, legalName } from './name.ts'
import { freshId } from './rename.ts'
import { strayAsSeen } from './seen.ts'
import { isHeld } from './seen-ways.ts'

export const explanation: Explanation = {
  says: 'Every result answers a call made before it.',
  why: 'A result whose call the provider never saw makes it refuse the whole request.',
  refusals: [
    /unexpected `?tool_use_id`? found in `?tool_result`? blocks/i,
    /messages with role \W*tool\W+must be a response to a prece+ding message with/i,
    /No tool call found for [\w ]{1,60} output with call_id/i,
    /function response turn comes immediately after a function call turn/i,
    /number of toolResult blocks at messages\.\w+\.content exceeds/i,
    /Unexpected role (?:\W?tool\W? after role|RoleEnum\.tool)/i,
  ],
}

/** Law: no facts. */
export const toolResultOrphan = defineRule({
  id: 'tool-result-orphan',
  repair: 'safe',
  messages: {
    orphan: 'Result for {call} answers no call in this history.',
    early: 'Result for {call} stands before its call.',
    legacy: 'Result for {call} is one of the first API, and answers no call in this history.',
    counted: 'Result for {call} answers no call of its turn, though that has as many results as calls.',
    shared: 'Result for {call} answers no call of its turn, though that has a result for each id.',
    twin: 'Result for {call} answers no call of its turn, though that has as many results as calls, and one for each id.',
    again: 'Result for {call} comes again, after that call was answered.',
  },
  checks: {
    stray(stray, law, walk) {
      if (stray.fate === 'misplaced' || (stray.fate === 'duplicate' && stray.inSlot)) return
      const bound = isIllegal(stray.part, walk) ? law : strayAsSeen(law, stray, walk)
      const data = { call: stray.part.id ?? '(no id)' }
      const aside = isIllegal(stray.part, walk) ? undefined : asideId(stray, walk)
      if (stray.fate === 'early')
        // Its call waits for it, however many results stand here.
        walk.report(bound, aside === 'legacy' ? aside : 'early', stray.part, data, [{ do: 'settle', call: stray.call }])
      else if (isCalledLater(stray, walk)) walk.report(bound, 'early', stray.part, data, rescue(stray, walk))
      else if (stray.fate === 'duplicate') walk.report(bound, aside ?? 'again', stray.part, data, discard(stray, walk))
      else if (!isKnownElsewhere(stray, walk))
        walk.report(bound, aside ?? 'orphan', stray.part, data, rescue(stray, walk))
    },
  },
})

/** The provider holds earlier turns itself, where the call may be, or it made the call. */
function isKnownElsewhere({ part }: Stray, walk: Walk): boolean {
  if (part.id !== undefined && walk.pairing.server.open.has(part.id)) return true
  // Nobody holds a call whose id is never taken.
  if (isIllegal(part, walk)) return false
  return isHeld(walk)
}

/** No call has such an id once it is mended, so that nothing can pass for its result. An id that the provider does not read is none. */
function isIllegal({ id, type }: Part, { plan }: Walk): boolean {
  if (id === undefined || type === 'odd') return false
  const lengths = plan.bounds.get('tool-call-id-too-long') ?? []
  const formats = plan.bounds.get('tool-call-id-format') ?? []
  return (
    lengths.some(
      ({ law, severity }) => severity === 'error' && id.length > ((law['max'] as number | undefined) ?? 40),
    ) ||
    formats.some(
      ({ law, severity }) => severity === 'error' && (law['pattern'] as RegExp | undefined)?.test(id) === false,
    )
  )
}

/** What only some see an orphan in: results under the role of the first API, and those that only their id betrays. */
function asideId(stray: Stray, walk: Walk): string | undefined {
  // Between results it ends their slot.
  const last = (walk.outlines[stray.part.message + 1] ?? 0) & HAS_RESULT
  if (own(stray.part.value, 'role') === 'function') return last === 0 || stray.round < 0 ? 'legacy' : undefined
  return walk.dialect.slot === 'anywhere' ? undefined : passOf(stray, walk)
}

/** Where results stand anywhere, a second one before its call is no orphan either. */
function isCalledLater({ part, fate }: Stray, walk: Walk): boolean {
  if (fate !== 'orphan' || walk.dialect.slot !== 'anywhere') return false
  return shared(walk, 'called ids', calledIds).has(keyOf(part, walk))
}

function calledIds(walk: Walk): ReadonlySet<string> {
  const keys = new Set<string>()
  for (let i = 0; i < walk.pairing.count; i++) keys.add(keyOf(walk.pairing.callAt(i), walk))
  return keys
}

function keyOf(part: Part, { dialect }: Walk): string {
  return `${dialect.family?.(part) ?? ''} ${part.id ?? ''}`
}

function rescue({ part, round }: Stray, walk: Walk): readonly Step[] {
  if (walk.policy.orphan === 'drop') return [{ do: 'remove', part }]
  const settle: readonly Step[] = round < 0 ? [] : [{ do: 'settle', call: round }]
  if (walk.policy.orphan === 'rebuild') return [...rebuild(part, walk), ...settle]
  const tool = part.name ? ` of tool ${part.name}` : ''
  const label = `[Result${tool} for a call that is no longer in this conversation${part.id ? ` (${part.id})` : ''}]`
  return [{ do: 'note', part, as: 'note', label }, ...settle]
}

/** The call is made anew, with an id and a name that the provider takes and no other call has. */
function rebuild(part: Stray['part'], walk: Walk): readonly Step[] {
  const id = freshId(walk, part.id, `${part.message}/${part.index}`)
  const steps: Step[] = [{ do: 'note', part, as: 'call', label: '' }]
  if (id !== part.id) steps.push({ do: 'write', part, change: { id } })
  const law = walk.plan.bounds.get('tool-call-name-invalid')?.[0]?.law
  if (law && part.name !== undefined && !isLegalName(part.name, law)) {
    steps.push({ do: 'write', part, change: { name: legalName(part.name, law) ?? 'unknown_tool' } })
  }
  return steps
}
