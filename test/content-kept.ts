/**
 * Whether content is still there after a repair: every string over 24 characters in arguments, results and texts of the
 * input is in the output. Ids, names, signatures, reasoning and placeholders are excepted.
 */
import { isSynthetic } from '../src/core/index.ts'

const LONG_ENOUGH = 24

/** Keys that are not content: ids, names, kinds, signatures, media. */
const NO_CONTENT =
  /^(?:id|[a-z_]+_id|[a-zA-Z]+Id|name|toolName|type|role|model|status|signature|thoughtSignature|thought_signature|encrypted_content|data|bytes|url|image_url|media_type|mimeType|thinking|reasoning\w*|redactedContent|summary|usage|additional_kwargs|response_metadata|providerMetadata|providerOptions)$/

type Native = Readonly<Record<string, unknown>>

/** The first string that is gone; undefined if all are there. */
export function lostContent(before: unknown, after: unknown): string | undefined {
  const kept = new Set<string>()
  for (const text of stringsIn(after, true)) {
    kept.add(text)
    for (const inner of stringsIn(jsonIn(text), true)) kept.add(inner)
  }
  let whole: string | undefined
  for (const text of contentIn(before)) {
    if (kept.has(text)) continue
    whole ??= [...kept].join('\n')
    if (!isWithin(text, whole)) return text
  }
  return undefined
}

function isWithin(text: string, whole: string): boolean {
  // Escaped once, where it became part of a JSON text, and twice, where that text was quoted.
  const once = JSON.stringify(text).slice(1, -1)
  return whole.includes(text) || whole.includes(once) || whole.includes(JSON.stringify(once).slice(1, -1))
}

/** Long strings that must stay. JSON text counts by its parsed content: it may be serialized again. */
function* contentIn(history: unknown): Generator<string> {
  for (const text of stringsIn(history, false)) {
    const parsed = jsonIn(text)
    for (const one of parsed === undefined ? [text] : stringsIn(parsed, true))
      if (one.length > LONG_ENOUGH && !isSynthetic(one)) yield one.trimEnd()
  }
}

function* stringsIn(value: unknown, all: boolean): Generator<string> {
  if (typeof value === 'string') yield wellFormed(value)
  else if (Array.isArray(value)) for (const one of value) yield* stringsIn(one, all)
  else if (typeof value === 'object' && value !== null && (all || !isReasoning(value as Native)))
    for (const [key, inner] of Object.entries(value)) if (all || !NO_CONTENT.test(key)) yield* stringsIn(inner, all)
}

function isReasoning({ type, thought }: Native): boolean {
  return type === 'reasoning' || type === 'thinking' || type === 'redacted_thinking' || thought === true
}

/** Half a character may be there as itself or as JSON writes it. */
function wellFormed(text: string): string {
  return text.toWellFormed().replace(/\\ud[89a-f][0-9a-f]{2}/gi, '\ufffd')
}

function jsonIn(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
