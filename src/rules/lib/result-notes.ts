/**
 * What becomes of a result that answers no call, or one that was answered already.
 */
import { equal, type Fix, isSynthetic, type Part, type Transcript, type UnmatchedResult } from '../../core/index.ts'

/** A second result: a copy or a placeholder is removed; real output with other content stays as a note. */
export function discardResult({ part, call, round }: UnmatchedResult, t: Transcript): { fix: Fix; harmless: boolean } {
  const kept = t.pairs.results[call]
  const { text, media } = t.dialect.content(part)
  const first = kept && t.dialect.content(kept)
  const isCopy = text === first?.text && equal(media, first.media)
  if (isCopy || (text === '' && media.length === 0) || isSynthetic(text))
    return { fix: [{ do: 'remove', part }], harmless: true }
  const label = `[Another result for call ${part.id ?? ''}]`
  return { fix: [{ do: 'note', part, label }, ...completing(round)], harmless: false }
}

export function orphanLabel({ name, id }: Part): string {
  const tool = name ? ` of tool ${name}` : ''
  return `[Result${tool} for a call that is no longer in this conversation${id ? ` (${id})` : ''}]`
}

/** The results that stay are put together again. */
export function completing(round: number): Fix {
  return round < 0 ? [] : [{ do: 'complete-round', call: round }]
}
