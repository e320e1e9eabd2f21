/**
 * Schema errors name a place and a general fault. Checked after the patterns of the rules, which know specific texts.
 */
import type { RuleId } from '../../rules/index.ts'

/** A place inside the history, in any notation. */
const PLACE = /\b(?:messages|input|contents)(?:\.?\[\d+\]|\.\d+\b)|["'](?:messages|input|contents)["'],\s*\d+/

const wordings: readonly { readonly rule: RuleId; readonly text: RegExp }[] = [
  { rule: 'tool-call-id-duplicate', text: /Duplicate value for '?tool_call_id/i },
  // MiMo, for a tool result that is not text.
  { rule: 'tool-result-multimodal-unsupported', text: /^`?text`? is not set$/i },
  { rule: 'messages-empty', text: /messages: (?:at least one message is required|List should have at least 1 item)/i },
  {
    rule: 'role-unknown',
    text: /messages: Unexpected role "\w+"|(?:messages|input|contents)(?:\.?\[\d+\]|\.\d+)(?:\.member)?\.role\b/i,
  },
  {
    rule: 'content-missing',
    text: /(?:messages|input)(?:\.?\[\d+\]|\.\d+)\.content'?: (?:Field required|missing)|missing field `?content/i,
  },
  { rule: 'content-shape', text: /messages\.\d+\.content\.\d+: Input (?:does not match|should be)/i },
  { rule: 'tool-result-not-object', text: /contents\[\d+\]\.parts\[\d+\]\.function_?response\.response/i },
  {
    rule: 'unknown-field',
    text: /(?:messages|input|contents)(?:\.?\[\d+\]|\.\d+)\S{0,200}: (?:Extra inputs are not permitted|unknown field)|["'](?:messages|input|contents)["'],[^\]]{0,200}\][^{}]{0,200}Extra inputs are not permitted/i,
  },
]

const ROLE: RuleId = 'role-unknown'

/** The rule that a schema fault of the history leads to. */
export function schemaFault(
  texts: readonly string[],
  places: readonly string[],
): { rule: RuleId; text: string } | undefined {
  for (const text of texts) {
    const found = wordings.find((one) => one.text.test(text))
    if (found) return { rule: found.rule, text }
  }
  // The fault is in the text, the place in another field.
  const role = places.some((place) => /(?:messages|input|contents)\S{0,200}role$/.test(place))
  const text = texts.find((one) => /^Invalid value|not supported|unknown|unsupported/i.test(one))
  return role && text !== undefined ? { rule: ROLE, text } : undefined
}

/** Whether a text, or a field next to it, points into the history. */
export function pointsIntoHistory(texts: readonly string[], places: readonly string[]): boolean {
  return [...texts, ...places].some((text) => PLACE.test(text))
}
