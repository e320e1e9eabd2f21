/** Reasoning that was stripped, moved or left at the end. */
import { valueAt } from '../../core/index.ts'
import { corruption } from './types.ts'

const SIGNATURES = ['signature', 'thoughtSignature', 'thought_signature', 'encrypted_content']

export const thinking = [
  corruption(
    'thinking-stripped',
    'One reasoning part was filtered out; the others were not.',
    'anthropics/claude-code#63203',
    (draft) => draft.changePart('reasoning', (part) => draft.remove(part)),
  ),
  corruption(
    'signature-lost',
    'Signatures were lost when the history was stored.',
    'google-gemini/gemini-cli#28607',
    (draft) => {
      const signed = draft.parts().filter(({ signature }) => signature !== undefined)
      for (const { value } of signed) removeSignature(value, 3)
      return signed.length > 0
    },
  ),
  corruption(
    'thinking-reordered',
    'Reasoning was moved to the end of its message.',
    'bastani-inc/atomic#1318',
    (draft) => {
      const part = draft.parts('reasoning').find(({ index }) => index >= 0)
      if (!part) return false
      const list = valueAt(draft.messages[part.message], part.list) as unknown[]
      list.push(...list.splice(part.index, 1))
      return true
    },
  ),
  corruption(
    'abort-after-thinking',
    'The answer was aborted after its reasoning, and the conversation went on.',
    'tailcallhq/forgecode#3071',
    (draft) => {
      const part = draft.parts('reasoning').findLast(({ index }) => index >= 0)
      if (!part) return false
      const list = valueAt(draft.messages[part.message], part.list) as unknown[]
      list.splice(part.index + 1)
      draft.messages.splice(part.message + 1)
      draft.messages.push(draft.text('user', 'Go on, please, and tell me what you found.'))
      return true
    },
  ),
] as const

function removeSignature(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return
  for (const key of Object.keys(value)) {
    if (SIGNATURES.includes(key)) delete (value as Record<string, unknown>)[key]
    else removeSignature((value as Record<string, unknown>)[key], depth - 1)
  }
}
