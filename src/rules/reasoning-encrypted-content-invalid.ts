import { type Bound, defineRule, type Explanation } from '../core/index.ts'
import { reasoningItems, withoutReasoning } from './lib/items.ts'

export interface ReasoningEncryptedContentInvalid {
  /** How everything that this provider has encrypted begins. */
  readonly begins?: string
  /** How signatures of others begin. A long code with another beginning may be new: it is a warning. */
  readonly foreign?: RegExp
}

/** Whether encrypted content can be read shows only after a rejection; then all of it goes. */
export const reasoningEncryptedContentInvalid = defineRule({
  id: 'reasoning-encrypted-content-invalid',
  phase: 'structure',
  about: () => ({ parts: ['reasoning', 'opaque'] }),
  repair: 'lossy',
  messages: {
    invalid: '{provider} rejected encrypted reasoning. {Repair} removes all reasoning items ({count}).',
    sealed:
      '{provider} cannot decrypt the {type} item {index}. {Repair} removes it; the earlier turns that it replaced are lost.',
    foreign: 'The reasoning in item {index} was not encrypted by {provider}; {rejects} it. {Repair} removes it.',
  },
  check(t, { begins, foreign, rejected }: Bound<ReasoningEncryptedContentInvalid>, report) {
    if (rejected) {
      const items = reasoningItems(t)
      if (items.length > 0) report('invalid', [items[0]!], { count: items.length }, withoutReasoning(t, items))
      for (const { signature, list, message, type } of t.opaque)
        if (list.length === 0 && signature !== undefined)
          report('sealed', [message], { type }, [{ do: 'replace-message', message, value: undefined }])
    } else if (begins !== undefined) {
      for (const { signature, message } of t.reasoning)
        if (typeof signature === 'string' && signature !== '' && !signature.startsWith(begins))
          report('foreign', [message], {}, withoutReasoning(t, [message]), mayBeNew(signature, foreign) ? NEW : {})
    }
  },
})

const NEW = { notKnown: 'this form of encrypted content' }

function mayBeNew(signature: string, foreign: RegExp | undefined): boolean {
  return /^[\w+/=.-]{40}/.test(signature) && foreign?.test(signature) !== true
}

export const explanation: Explanation = {
  summary: 'Encrypted reasoning is sent only to the account and deployment that created it.',
  why: 'No other account or deployment can decrypt it.',
  repair: 'Repair removes all reasoning items, and the ids of the items after them.',
}
