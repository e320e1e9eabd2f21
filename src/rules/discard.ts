/**
 * What becomes of the second of two results for one call: a copy or a placeholder goes, real output that says something else stays as a note.
 */
import { isSynthetic, type Step, type Stray, type Walk } from '../core/index.ts'

export function discard({ part, call, round }: Stray, walk: Walk): readonly Step[] {
  const kept = walk.pairing.answerAt(call)
  const said = walk.dialect.content(part)
  const same = kept !== undefined && said.text === walk.dialect.content(kept).text && said.media.length === 0
  if (same || (said.text === '' && said.media.length === 0) || isSynthetic(said.text)) return [{ do: 'remove', part }]
  const settle: readonly Step[] = round < 0 ? [] : [{ do: 'settle', call: round }]
  return [{ do: 'note', part, as: 'note', label: `[Another result for call ${part.id ?? ''}]` }, ...settle]
}
