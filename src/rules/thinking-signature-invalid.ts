import { type Bound, defineRule, type Explanation, type Part, type Walk } from '../core/index.ts'
import { oddReasoningOf, promptFrom, reasoningOf, remember, removals, signed } from './thinking.ts'

export const explanation: Explanation = {
  says: 'Thinking comes back with the very signature it was given.',
  why: 'A signature of another model, or one that was emptied, fails the check.',
  refusals: [/Invalid `?signature`? in `?thinking`? block(?![\s\S]{0,400}bound to a different conversation)/i],
}

/** Only a blanked signature can be seen; the rest is done after a refusal. */
export const thinkingSignatureInvalid = defineRule({
  id: 'thinking-signature-invalid',
  repair: 'lossy',
  quiet: signed,
  messages: {
    blanked: 'This signature is empty; with it {count} blocks of thinking go, up to the end of its turn.',
    refused: 'A signature was refused: all {count} blocks of thinking go.',
  },
  checks: {
    reasoning: remember,
    end(walk, bound) {
      if (bound.refused) dropAll(reasoningOf(walk), bound, walk)
      else dropBlanked(bound, walk)
    },
  },
})

function dropAll(parts: readonly Part[], bound: Bound, walk: Walk): void {
  if (parts.length > 0) walk.report(bound, 'refused', parts[0]!, { count: parts.length }, removals(parts))
}

/** From the beginning up to the end of its turn: what stands behind keeps an unbroken chain of its own. */
function dropBlanked(bound: Bound, walk: Walk): void {
  const last = oddReasoningOf(walk).findLast(isBlanked)
  if (!last) return
  const parts = reasoningOf(walk)
  const end = promptFrom(last.message, walk)
  const gone = parts.filter((part) => part.message < end)
  walk.report(bound, 'blanked', parts.find(isBlanked)!, { count: gone.length }, removals(gone))
}

/** What was redacted has no text that a signature could be wrong for. */
function isBlanked({ sign, type }: Part): boolean {
  if (type.startsWith('redacted')) return false
  return sign !== undefined && sign !== null && (typeof sign !== 'string' || sign === '')
}
