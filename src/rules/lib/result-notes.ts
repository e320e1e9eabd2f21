/** What becomes of a result that answers no call, or one that was answered already. */
import {
  equal,
  type Fix,
  isObject,
  isSynthetic,
  looseText,
  type Part,
  type Transcript,
  type UnmatchedResult,
} from '../../core/index.ts'

/** A second result: a copy or a placeholder is removed; real output with other content stays as a note. */
export function discardResult({ part, call, round }: UnmatchedResult, t: Transcript): { fix: Fix; harmless: boolean } {
  const kept = t.pairs.results[call]
  const { text, media } = t.dialect.content(part)
  const first = kept && t.dialect.content(kept)
  const isCopy = text === first?.text && equal(media, first.media)
  const beside = besideOutput(part)
  const says = beside !== '' && beside !== (kept ? besideOutput(kept) : '')
  if (!says && (isCopy || (text === '' && media.length === 0) || isSynthetic(text)))
    return { fix: [{ do: 'remove', part }], harmless: true }
  const label = `[Another result for call ${part.id ?? ''}]${beside}`
  return { fix: [{ do: 'note', part, label }, ...completing(round)], harmless: false }
}

export function orphanLabel(part: Part): string {
  const { name, id } = part
  const tool = name ? ` of tool ${name}` : ''
  return `[Result${tool} for a call that is no longer in this conversation${id ? ` (${id})` : ''}]${besideOutput(part)}`
}

/** Keys under which SDKs keep an output. */
const OUTPUTS = ['output', 'result', 'content', 'response', 'text', 'value', 'data', 'message', 'observation', 'body']

/** A second output that the result has under another key, as lines of its note: a note has no field to keep it in. */
function besideOutput({ value, body, type }: Part): string {
  const inner = isObject(value) && isObject(value[type]) ? value[type] : value
  if (!isObject(inner)) return ''
  const others = OUTPUTS.filter((key) => inner[key] !== undefined && inner[key] !== body)
  const texts = others.map((key) => looseText(inner[key])).filter((text) => text.trim() !== '')
  return texts.map((text) => `\n${text}`).join('')
}

/** The results that stay are put together again. */
export function completing(round: number): Fix {
  return round < 0 ? [] : [{ do: 'complete-round', call: round }]
}
