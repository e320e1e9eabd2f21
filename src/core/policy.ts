import { type Cause, causes } from './cause.ts'
import { SutureError } from './error.ts'
import { given, knownNames, unknownName } from './options.ts'

/** The repair policy as the caller gave it, checked. */
export interface Policy {
  /** A call without a result: add a result that says so, or remove the call. */
  readonly unanswered: 'answer' | 'omit'
  /** A result without a call: turn it into a labeled note, drop it, or rebuild the call. */
  readonly orphan: 'note' | 'drop' | 'rebuild'
  /** Which of two results for one call is kept. */
  readonly duplicate: 'best' | 'first' | 'last'
}

export const DEFAULT_POLICY: Policy = { unanswered: 'answer', orphan: 'note', duplicate: 'best' }

const choices = {
  unanswered: ['answer', 'omit'],
  orphan: ['note', 'drop', 'rebuild'],
  duplicate: ['best', 'first', 'last'],
} as const

/** The policy with its defaults; a wrong name or cause throws. */
export function policyOf(policy: Partial<Policy> | undefined, cause: Cause | undefined): Policy {
  if (cause !== undefined && !causes.includes(cause)) throw unknownName('cause', String(cause), causes)
  if (policy === undefined) return DEFAULT_POLICY
  for (const [name, choice] of Object.entries(policy)) checkPolicy(name, choice)
  return { ...DEFAULT_POLICY, ...policy }
}

function checkPolicy(name: string, choice: string): void {
  const allowed: readonly string[] | undefined = Object.hasOwn(choices, name)
    ? choices[name as keyof Policy]
    : undefined
  if (allowed?.includes(choice)) return
  const wrong = allowed ? `Unknown choice ${given(choice)} in policy.${name}.` : `Unknown policy ${given(name)}.`
  const known = allowed ? knownNames(choice, allowed) : knownNames(name, Object.keys(choices))
  throw new SutureError('unknown-policy', `${wrong}${known}`, { name, choice })
}
