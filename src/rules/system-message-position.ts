import { type Bound, defineRule, type Explanation, type Step, type Walk } from '../core/index.ts'
import { OPENING } from './said.ts'

export const explanation: Explanation = {
  says: 'A system message in the list stands behind the latest user message.',
  why: 'Right after an assistant turn, or right before the user speaks, Anthropic refuses it.',
  refusals: [/"?system"? message must not (?:directly )?(?:follow|precede)/i],
}

/** A run of messages between two assistant turns. */
interface Stretch {
  from: number
  systems: number[]
  lastUser: number
  /** The last message of the last stretch that had a user. */
  home: number
  /** The first message of the assistant. */
  first: number
  opened: boolean
}

export const systemMessagePosition = defineRule({
  id: 'system-message-position',
  repair: 'safe',
  messages: { misplaced: 'This system message does not stand behind the user message it comes with.' },
  checks: {
    message({ index, role }, bound, walk) {
      const at = walk.recall<Stretch>(bound, () => ({
        from: 0,
        systems: [],
        lastUser: -1,
        home: -1,
        first: -1,
        opened: false,
      }))
      if (role === 'system') at.systems.push(index)
      else if (role !== 'assistant') at.lastUser = index
      else close(at, index, bound, walk)
    },
    end(walk, bound) {
      const at = walk.memory.get(bound.rule.id) as Stretch | undefined
      if (at) close(at, walk.history.length, bound, walk)
    },
  },
})

function close(at: Stretch, end: number, bound: Bound, walk: Walk): void {
  const { systems, lastUser, from } = at
  if (at.first < 0 && end < walk.history.length) at.first = end
  if (lastUser >= from && lastUser >= 0) {
    for (const index of systems) if (index < lastUser) move(index, lastUser, bound, walk)
    at.home = end - 1
  } else if (at.home >= 0) for (const index of systems) move(index, at.home, bound, walk)
  else if (at.first >= 0 && walk.plan.bounds.has('first-not-user')) open(at, bound, walk)
  at.from = end + 1
  if (systems.length > 0) at.systems = []
}

/** No user has spoken yet: the turn that has to be put first goes before the system messages. */
function open(at: Stretch, bound: Bound, walk: Walk): void {
  for (const index of at.systems) {
    const value = walk.dialect.say('user', OPENING)
    const turn: readonly Step[] = at.opened ? [] : [{ do: 'insert', after: at.first - 1, value }]
    at.opened = true
    move(index, at.first - 1, bound, walk, turn)
  }
}

function move(index: number, after: number, bound: Bound, walk: Walk, first: readonly Step[] = []): void {
  walk.report(bound, 'misplaced', [index], {}, [...first, { do: 'move', message: index, after }])
}
