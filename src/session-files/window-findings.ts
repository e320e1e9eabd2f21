/**
 * A history that is larger than the context window of its model: every request with it is rejected, whatever its form.
 * Only for models whose window is known. A count that the agent recorded proves a larger window.
 */
import { dialects } from '../dialects/index.ts'
import { knownWindow, largestWindow } from '../strategies/context-windows.ts'
import { estimateTokens } from '../strategies/estimate.ts'
import { counterFor } from '../strategies/token-counts.ts'
import { recordedUsage } from './recorded-usage.ts'
import type { Conversation, FileFinding, FileRecord } from './types.ts'

/** What a conversation was read from. */
export interface ReadFrom {
  /** Size of the file or line. A token has at least one byte, so a small one needs no count. */
  readonly bytes?: number
  readonly records?: readonly FileRecord[]
  /** Tokens of instructions and tools that are sent beside the history. */
  readonly around?: number
}

/** Estimates of tokens differ from a tokenizer's count by less. */
const CERTAIN = 1.15

/** Estimated as everywhere: by the parts of each message, not by its JSON. */
export function historyTokens({ history, dialect }: Pick<Conversation, 'history' | 'dialect'>): number {
  const known = dialects.find(({ id }) => id === dialect)
  return known ? counterFor(known, estimateTokens).sum(history) : 0
}

export function windowFindings(
  { id, history, dialect }: Pick<Conversation, 'id' | 'history' | 'dialect'>,
  model: string | undefined,
  { bytes = Number.POSITIVE_INFINITY, records = [], around = 0 }: ReadFrom,
): readonly FileFinding[] {
  const window = knownWindow(model) ?? Number.POSITIVE_INFINITY
  if (bytes < window) return []
  const tokens = historyTokens({ history, dialect }) + around
  const isRefuted = () => records.some(({ value }) => (recordedUsage(value)?.input ?? 0) > window)
  if (tokens <= window * CERTAIN || isRefuted()) return []
  const largest = largestWindow(model)
  const isCertain = tokens > largest * CERTAIN
  const unless = isCertain ? '' : ` unless the account has the window of ${largest}`
  const message = `The history has about ${tokens} tokens, ${Math.round((tokens / window) * 100)} % of the window of ${model} (${window}): the provider rejects it${unless}. No repair makes it shorter: \`suture compact\` or the compaction of the agent does.`
  const severity = isCertain ? 'error' : 'warning'
  return [{ kind: 'provider', rule: 'larger-than-window', severity, conversation: id, message }]
}
