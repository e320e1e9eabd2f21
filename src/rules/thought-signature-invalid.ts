import { type Bound, defineRule, type Explanation, type Fix, type Part, type Step } from '../core/index.ts'
import { isSigned, type ThoughtSignature, withSentinel } from './lib/thought-signatures.ts'

export interface ThoughtSignatureInvalid extends ThoughtSignature {
  /** What a signature may consist of; one with anything else is replaced at once. */
  readonly letters?: RegExp
}

/** Which signatures are valid cannot be seen in a history: all of them go, but only after a rejection. */
export const thoughtSignatureInvalid = defineRule({
  id: 'thought-signature-invalid',
  phase: 'structure',
  repair: 'lossy',
  messages: {
    invalid: '{provider} rejected a thought signature. {Repair} replaces or removes all of them ({count}).',
    letters: 'A thought signature in message {index} is not base64; {rejects} it. {Repair} replaces or removes it.',
  },
  check(t, constraint: Bound<ThoughtSignatureInvalid>, report) {
    const { letters, rejected, sentinel } = constraint
    if (rejected) {
      const found = t.parts.filter((part) => isSigned(part) && part.signature !== sentinel)
      const fix = found.flatMap((part) => replaced(part, constraint))
      if (found.length > 0) report('invalid', found[0]!, { count: found.length }, fix)
    } else if (letters) {
      for (const part of t.parts) {
        const { signature, message } = part
        if (!isSigned(part) || !t.isAssistant(message)) continue
        if (typeof signature !== 'string' || !letters.test(ends(signature)))
          report('letters', part, {}, replaced(part, constraint))
      }
    }
  },
})

/** Only the two ends are checked: a signature has thousands of letters, and reading all costs more than any rule. */
function ends(signature: string): string {
  return signature.length <= 2 * LOOKED_AT ? signature : signature.slice(0, LOOKED_AT) + signature.slice(-LOOKED_AT)
}

const LOOKED_AT = 64

/** On anything but a call the signature is optional. */
function replaced(part: Part, constraint: ThoughtSignature): Fix {
  if (part.kind === 'call') return withSentinel(part, constraint)
  const keys = new Set(Object.values(constraint.keys ?? {}))
  return [...keys].map((key): Step => ({ do: 'set-part', part, key, value: undefined }))
}

export const explanation: Explanation = {
  summary: 'A thought signature is sent only to the service that created it.',
  why: 'Signatures of another model, account or provider are rejected.',
  repair: 'Repair puts the documented sentinel on calls and removes other signatures.',
}
