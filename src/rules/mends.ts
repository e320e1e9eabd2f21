/**
 * What the mends of other rules do to a history: a rule may have to ask before it reports.
 */
import type { Step, Walk } from '../core/index.ts'
import { shared } from './memory.ts'

/** Whether this rule is in force and its findings are mended. */
export function isMended(rule: string, { plan, strict }: Walk): boolean {
  return plan.bounds.get(rule)?.some(({ severity }) => severity === 'error' || strict) ?? false
}

/** The steps of all mends so far. */
export function mendingSteps(walk: Walk): readonly Step[] {
  return walk.found.filter((found) => walk.mends(found)).flatMap(({ steps }) => steps)
}

interface Edited {
  /** So many findings were read. */
  read: number
  readonly messages: Set<number>
}

/** The messages that the steps of all fixes so far edit. Asked for each pair of messages that is joined, so each finding is read once. */
export function editedMessages(walk: Walk): ReadonlySet<number> {
  const edited = shared(walk, 'edited-messages', (): Edited => ({ read: 0, messages: new Set() }))
  for (; edited.read < walk.found.length; edited.read++) {
    const found = walk.found[edited.read]!
    if (walk.mends(found)) for (const step of found.steps) addMessage(step, edited.messages)
  }
  return edited.messages
}

function addMessage(step: Step, messages: Set<number>): void {
  if ('part' in step) messages.add(step.part.message)
  else if ('message' in step) messages.add(step.message)
}
