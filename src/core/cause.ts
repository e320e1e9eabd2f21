/**
 * Why a call has no result of its own, and the one sentence that says so.
 * The texts are constant: a repair writes the same bytes every time and recognizes its own texts.
 */
import { unknownName } from './options.ts'
import { isForeignPlaceholder } from './placeholders.ts'

const texts = {
  'aborted-before-start': 'This tool call was aborted before it started. It had no effect.',
  'aborted-while-running':
    'This tool call was aborted while it ran. Its outcome is unknown: it may have taken effect. Check before you repeat it.',
  crashed:
    'The process that ran this tool call ended before it could report. The outcome is unknown: check before you repeat it.',
  lost: 'No result of this tool call was recorded. Whether it ran and what came of it is unknown: check before you repeat it.',
  elided: 'The result of this tool call was left out to keep the conversation short. The call itself did complete.',
} as const

/** Why a call has no result, as the repair tells the model. */
export type Cause = keyof typeof texts

/** All causes. */
export const causes = Object.keys(texts) as readonly Cause[]

/** The sentence that a synthetic result has for this cause. */
export function textOf(cause: Cause): string {
  if (!Object.hasOwn(texts, cause)) throw unknownName('cause', String(cause), causes)
  return texts[cause]
}

const synthetic: ReadonlySet<string> = new Set(Object.values(texts))

/** Whether this text replaces a missing result, in any product. Compared as a whole: real output may quote one. */
export function isSynthetic(text: string): boolean {
  return typeof text === 'string' && (synthetic.has(text) || isForeignPlaceholder(text))
}
