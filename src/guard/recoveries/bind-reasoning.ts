/**
 * Claude with preserved thinking: blocks that no longer fit what stands before them are dropped by the provider itself, if it is told to.
 * Costs only those blocks; taking reasoning out would cost all of it.
 */
import type { Constraint } from '../../core/index.ts'
import { bindingLaw, mend, wantsError, withHeader } from './mend.ts'
import { remembering } from './notes.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const bindReasoning: Recovery = { id: 'bind-reasoning', most: 1, try: bind }

const BOUND = ['thinking-bound-to-other-prefix', 'thinking-chain-broken']

function bind(attempt: Attempt): Recovered | undefined {
  const { rule } = attempt.refusal
  const law = bindingLaw(attempt) ?? lawOf(attempt)
  if (rule === undefined || !BOUND.includes(rule) || !law || wantsError(attempt)) return undefined
  // The two refusals differ in what broke; the setting is the same, and the first of the rules has its law.
  const refused = [BOUND[0]!]
  const { body, edits } = mend(attempt, { refused })
  const bound = withHeader(attempt, body, law)
  if (bound.body === attempt.body && !bound.headers) return undefined
  const report = { rule, edits, setting: 'drop_block', header: bound.headers !== undefined }
  return { id: 'bind-reasoning', ...bound, report, accepted: remembering(attempt, { refused }) }
}

/** A model that is not known to bind, and has just said that it does. */
function lawOf({ service }: Attempt) {
  const stated = service.constraints[BOUND[0]!]
  return stated ? ([stated].flat()[0] as Constraint) : undefined
}
