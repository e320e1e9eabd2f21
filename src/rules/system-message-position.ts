import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  HAS_CALL,
  HAS_RESULT,
  type Report,
  type Transcript,
} from '../core/index.ts'
import { CONTINUE, OPENING } from './lib/filler-texts.ts'

export interface SystemMessagePosition {
  /** A history may not begin with the assistant: a turn of the user goes before its leading system messages. */
  readonly opening?: boolean
}

/** The messages between two assistant turns. */
interface Stretch {
  readonly from: number
  readonly to: number
  readonly systems: readonly number[]
  readonly lastUser: number
}

export const systemMessagePosition = defineRule({
  id: 'system-message-position',
  phase: 'structure',
  repair: 'lossy',
  messages: {
    misplaced:
      'The system message {index} is not directly after the user message that it belongs to; {rejects} that. {Repair} moves it.',
  },
  check(t, { opening }: Bound<SystemMessagePosition>, report) {
    for (let from = 0; from <= t.history.length; ) {
      const stretch = stretchFrom(t, from)
      if (stretch.systems.length > 0) checkStretch(t, stretch, opening === true, report)
      from = stretch.to + 1
    }
  },
})

function stretchFrom(t: Transcript, from: number): Stretch {
  const systems: number[] = []
  let lastUser = -1
  let to = from
  for (; to < t.history.length && !t.isAssistant(to); to++) {
    // A change of the tools applies from its place on.
    if (t.role(to) !== 'system') lastUser = to
    else if (t.partsOf(to).every(({ kind }) => kind !== 'opaque')) systems.push(to)
  }
  return { from, to, systems, lastUser }
}

function checkStretch(
  t: Transcript,
  { from, to, systems, lastUser }: Stretch,
  opening: boolean,
  report: Report<'misplaced'>,
): void {
  const move = (message: number, after: number) => report('misplaced', [message], {}, [{ do: 'move', message, after }])
  if (lastUser >= 0) {
    for (const index of systems) if (index < lastUser) move(index, lastUser)
  } else if (from > 0) {
    // No user message since the assistant: one goes before them. They never go before the assistant, whose thinking may
    // be bound to earlier messages. At the end of a history in progress a user message may still follow.
    if (to === t.history.length && t.inProgress) return
    // Calls get their results there, which are the user's.
    const first = systems[0]!
    const isCalled = (t.flags[from - 1]! & HAS_CALL) !== 0
    const results: Fix =
      (t.flags[first]! & HAS_RESULT) === 0 ? [] : [{ do: 'set', message: first, key: 'role', value: 'user' }]
    const turn: Fix = [{ do: 'insert', after: from - 1, value: t.dialect.textMessage('user', CONTINUE) }]
    report('misplaced', [first], {}, isCalled ? results : turn)
  } else if (opening && to < t.history.length) {
    // One fix for all of them: steps that were divided among findings would wait for each other.
    const turn: Fix = [
      { do: 'insert', after: to - 1, value: t.dialect.textMessage('user', OPENING) },
      ...systems.map((message) => ({ do: 'move', message, after: to - 1 }) as const),
    ]
    for (const index of systems) report('misplaced', [index], {}, turn)
  }
}

export const explanation: Explanation = {
  summary: 'A system message in the list comes after the latest user message.',
  why: 'Anthropic rejects it right after an assistant message or right before a user message.',
  repair: 'Repair moves it after the latest user message.',
}
