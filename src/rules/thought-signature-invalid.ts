import {
  type Bound,
  defineRule,
  type Explanation,
  own,
  type Part,
  type Step,
  type Walk,
  withKey,
} from '../core/index.ts'
import { isSigned, keysOf, sentinelOf, signed } from './thought-signatures.ts'

export const explanation: Explanation = {
  says: 'A thought signature comes back to the service that made it.',
  why: 'Signatures of another model, account or provider are refused.',
  refusals: [/(?:Corrupted|Invalid) thought signature/i, /Thought signature is not valid/i],
}

/**
 * Whose it is cannot be seen in a history: all of them go, but only after a refusal.
 * Law: `letters` — RegExp for what may stand in a signature at all; one with anything else goes at once · `keys` — by type of part the key of its signature · `sentinel` — what stands for it on a call.
 */
export const thoughtSignatureInvalid = defineRule({
  id: 'thought-signature-invalid',
  repair: 'lossy',
  messages: {
    invalid: 'A thought signature was refused: {count} of them go.',
    letters: 'This is no thought signature.',
  },
  checks: {
    message({ role, parts }, bound, walk) {
      if (!bound.refused) {
        if (role === 'assistant') reportUnreadable(parts, bound, walk)
        return
      }
      const found = walk.recall<Part[]>(bound, () => [])
      for (const part of parts) if (isSigned(part) && part.sign !== sentinelOf(bound)) found.push(part)
    },
    end(walk, bound) {
      const found = walk.memory.get(bound.rule.id) as readonly Part[] | undefined
      if (!found?.length) return
      const steps = found.map((part) => replaced(part, bound))
      walk.report(bound, 'invalid', found[0]!, { count: found.length }, steps)
    },
  },
})

function reportUnreadable(parts: readonly Part[], bound: Bound, walk: Walk): void {
  const letters = bound.law['letters'] as RegExp | undefined
  for (const part of letters ? parts : []) {
    const { sign } = part
    if (sign === undefined || sign === null || (typeof sign === 'string' && letters!.test(sign))) continue
    walk.report(bound, 'letters', part, {}, [replaced(part, bound)])
  }
}

function replaced(part: Part, bound: Bound): Step {
  return part.kind === 'call' ? signed(part, bound) : unsigned(part, bound)
}

/** On anything but a call the signature is optional. */
function unsigned(part: Part, bound: Bound): Step {
  const keys = Object.values(keysOf(bound))
  return {
    do: 'replace',
    part,
    with: (value) =>
      keys.reduce((now, key) => (own(now, key) === undefined ? now : withKey(now as object, key, undefined)), value),
  }
}
