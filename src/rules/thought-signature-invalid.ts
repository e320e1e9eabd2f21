import { type Bound, defineRule, type Explanation, own, type Part, type Step, withKey } from '../core/index.ts'
import { isSigned, keysOf, sentinelOf, signed } from './thought-signatures.ts'

export const explanation: Explanation = {
  says: 'A thought signature comes back to the service that made it.',
  why: 'Signatures of another model, account or provider are refused.',
  refusals: [/(?:Corrupted|Invalid) thought signature/i, /Thought signature is not valid/i],
}

/**
 * Cannot be seen in a history: acts only after a refusal.
 * Law: `keys` — by type of part the key of its signature · `sentinel` — what stands for it on a call.
 */
export const thoughtSignatureInvalid = defineRule({
  id: 'thought-signature-invalid',
  repair: 'lossy',
  messages: { invalid: 'A thought signature was refused: {count} of them go.' },
  checks: {
    message({ parts }, bound, walk) {
      if (!bound.refused) return
      const found = walk.recall<Part[]>(bound, () => [])
      for (const part of parts) if (isSigned(part) && part.sign !== sentinelOf(bound)) found.push(part)
    },
    end(walk, bound) {
      const found = walk.memory.get(bound.rule.id) as readonly Part[] | undefined
      if (!found?.length) return
      const steps = found.map((part) => (part.kind === 'call' ? signed(part, bound) : unsigned(part, bound)))
      walk.report(bound, 'invalid', found[0]!, { count: found.length }, steps)
    },
  },
})

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
