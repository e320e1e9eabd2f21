import { type Bound, defineRule, type Explanation, HAS_CALL, HAS_RESULT, type Step, type Walk } from '../core/index.ts'
import { isMended } from './mends.ts'
import { GO_ON, OPENING } from './said.ts'
import { setKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'A system message in the list stands behind the latest user message.',
  why: 'Right after an assistant turn, or right before the user speaks, Anthropic refuses it.',
  refusals: [
    /"?system"? message must not (?:directly )?(?:follow|precede)/i,
    /System message must be at the beginning/i,
  ],
}

/** A run of messages between two assistant turns. */
interface Stretch {
  from: number
  systems: number[]
  lastUser: number
}

export const systemMessagePosition = defineRule({
  id: 'system-message-position',
  repair: 'lossy',
  messages: { misplaced: 'This system message does not stand behind the user message it comes with.' },
  checks: {
    message({ index, role, parts }, bound, walk) {
      const at = walk.recall<Stretch>(bound, () => ({ from: 0, systems: [], lastUser: -1 }))
      if (role === 'system') {
        if (changesHands(walk)) return
        at.systems.push(index)
        if (!parts.some(({ kind, server }) => kind === 'call' && !server) || !isMended('content-shape', walk)) return
        // Its calls will be the assistant's, right behind it.
        close(at, index + 1, bound, walk)
        at.from = index + 1
      } else if (role !== 'assistant') at.lastUser = index
      else close(at, index, bound, walk)
    },
    end(walk, bound) {
      const at = walk.memory.get(bound.rule.id) as Stretch | undefined
      if (at) close(at, walk.history.length, bound, walk)
    },
  },
})

/** Another rule makes them someone else's: then they may stand where they are. */
function changesHands({ plan, strict }: Walk): boolean {
  const laws = plan.bounds.get('role-unknown') ?? []
  return laws.some(({ law, severity }) => {
    const roles = law['roles'] as readonly string[] | undefined
    return (severity === 'error' || strict) && roles?.includes('system') === false
  })
}

function close(at: Stretch, end: number, bound: Bound, walk: Walk): void {
  const { systems, lastUser, from } = at
  if (lastUser >= from) {
    for (const index of systems) if (index < lastUser) move(index, lastUser, bound, walk)
  } else if (from > 0) goOn(at, end, bound, walk)
  else if (end < walk.history.length && walk.plan.bounds.has('first-not-user')) open(systems, end, bound, walk)
  at.from = end + 1
  if (systems.length > 0) at.systems = []
}

/**
 * No user has spoken since the assistant: a turn of the user's goes before them. They never go before the assistant, whose thinking may be
 * bound to what stands before it. At the end the user may still speak, until the history is sent.
 */
function goOn({ from, systems }: Stretch, end: number, bound: Bound, walk: Walk): void {
  if (systems.length === 0 || (end === walk.history.length && !walk.sending)) return
  const first = systems[0]!
  // The results of these calls will stand there, or do already: results are the user's to give.
  const results = (walk.outlines[first]! & HAS_RESULT) !== 0 ? [setKey(first, 'role', 'user')] : []
  const calls = (walk.outlines[from - 1]! & HAS_CALL) !== 0
  const turn: Step = { do: 'insert', after: from - 1, value: walk.dialect.say('user', GO_ON) }
  walk.report(bound, 'misplaced', [first], {}, calls ? results : [turn])
}

/** No user has spoken yet: the turn that has to be put first goes before the system messages. */
function open(systems: readonly number[], first: number, bound: Bound, walk: Walk): void {
  const turn: Step = { do: 'insert', after: first - 1, value: walk.dialect.say('user', OPENING) }
  for (const [i, index] of systems.entries()) move(index, first - 1, bound, walk, i === 0 ? [turn] : [])
}

function move(index: number, after: number, bound: Bound, walk: Walk, first: readonly Step[] = []): void {
  walk.report(bound, 'misplaced', [index], {}, [...first, { do: 'move', message: index, after }])
}
