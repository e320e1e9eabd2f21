/**
 * Classifies a rejection from all layers of its body. Rules about the history come before sizes, since `too long` is
 * also used for ids. The status decides only if there is no text.
 */

import type { Finding } from '../../core/index.ts'
import type { RuleId } from '../../rules/index.ts'
import {
  type ErrorClass,
  isOpaque,
  modelOutput,
  permanent,
  request,
  retryable,
  tierTooSmall,
  unwrapped,
} from './error-classes.ts'
import { type ErrorTexts, errorTextsIn } from './error-texts.ts'
import { idsIn, placeIn } from './mentioned-ids.ts'
import { retryAfterMs } from './retry-after.ts'
import { type Pattern, patterns } from './rule-patterns.ts'
import { pointsIntoHistory, schemaFault } from './schema-errors.ts'
import { numbersIn, sizeIn } from './size-errors.ts'
import type { RejectedResponse, Rejection, RejectionKind } from './types.ts'
import { fieldsIn } from './unknown-fields.ts'

type Verdict = Pick<Rejection, 'kind' | 'limit' | 'actual' | 'output'> & {
  readonly rule?: string
  readonly text?: string
}

/** `lint` is called only if the text is ambiguous; `now` only for a retry-after date without a `date` header. */
export function classify(
  response: RejectedResponse,
  lint: () => readonly Finding[],
  now: () => number = Date.now,
): Rejection {
  const layers = errorTextsIn(response.body)
  const verdict = verdictOf(layers, response.status, lint)
  const texts = verdict.text === undefined ? layers.texts : [verdict.text, ...layers.texts]
  const message = placeIn([...texts, ...layers.places])
  const fields = verdict.rule === undefined || !FIELDS.has(verdict.rule) ? [] : fieldsIn(layers.texts)
  const wait = verdict.kind === 'retryable' ? retryAfterMs(response, layers.texts, layers.delays, now) : undefined
  return {
    ...verdict,
    ids: idsIn(texts),
    ...(message === undefined ? {} : { message }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(wait === undefined ? {} : { wait }),
    text: verdict.text ?? innermost(layers),
  }
}

/** Rules about one field of a message. */
const FIELDS: ReadonlySet<string> = new Set<RuleId>(['unknown-field', 'reasoning-content-forbidden'])

/** The innermost text with a meaning. */
function innermost({ texts }: ErrorTexts): string {
  return texts.find((text) => !isOpaque(text)) ?? texts[0] ?? ''
}

function verdictOf(layers: ErrorTexts, status: number, lint: () => readonly Finding[]): Verdict {
  return (
    ofClass(modelOutput, layers) ??
    ofRule(layers, status, lint) ??
    ofSchema(layers) ??
    ofSizeOrRate(layers) ??
    ofPlace(layers, lint) ??
    ofClass(request, layers) ??
    ofStatus(layers, status, lint)
  )
}

function ofSchema({ texts, places }: ErrorTexts): Verdict | undefined {
  const fault = schemaFault(texts, places)
  return fault && { kind: kindOf(fault.rule, fault.text), ...fault }
}

/** An unknown text about a place in the history: the finding at that place decides. */
function ofPlace({ texts, places }: ErrorTexts, lint: () => readonly Finding[]): Verdict | undefined {
  if (!pointsIntoHistory(texts, places)) return undefined
  const findings = lint()
  const at = placeIn([...texts, ...places])
  const found = findings.find((one) => at !== undefined && one.at?.includes(at)) ?? findings[0]
  return found && { kind: kindOf(found.rule, ''), rule: found.rule }
}

/** Throttling, then sizes; billing and keys before both, since waiting and shortening do not help there. */
function ofSizeOrRate(layers: ErrorTexts): Verdict | undefined {
  const tier = ofClass(tierTooSmall, layers)
  // One request is larger than the whole budget of a minute. If part of the budget is used, it only has to wait.
  if (tier && !/Used [\d,]+, Requested/i.test(tier.text ?? '')) return { ...tier, ...numbersIn(tier.text ?? '') }
  const dead = ofClass(permanent, layers)
  if (dead && !(dead.rule === 'billing' && layers.delays.length > 0)) return dead
  return ofText(retryable, layers) ?? ofSize(layers) ?? ofClass(retryable, layers)
}

function ofClass(classes: readonly ErrorClass[], layers: ErrorTexts): Verdict | undefined {
  return ofText(classes, layers) ?? ofCode(classes, layers)
}

function ofText(classes: readonly ErrorClass[], { texts }: ErrorTexts): Verdict | undefined {
  for (const text of texts) {
    const found = classes.find((one) => one.text?.test(text))
    if (found) return { kind: found.kind, rule: found.name, text }
  }
  return undefined
}

function ofCode(classes: readonly ErrorClass[], { codes }: ErrorTexts): Verdict | undefined {
  for (const code of codes) {
    const found = classes.find((one) => one.code?.test(code))
    if (found) return { kind: found.kind, rule: found.name }
  }
  return undefined
}

function ofSize({ texts, codes }: ErrorTexts): Verdict | undefined {
  for (const text of texts) {
    const sized = sizeIn(text, [])
    if (sized) return { ...sized, text }
  }
  return texts.some((text) => sizeIn(text, codes)) || texts.length === 0 ? sizeIn(texts[0] ?? '', codes) : undefined
}

function ofRule(layers: ErrorTexts, status: number, lint: () => readonly Finding[]): Verdict | undefined {
  for (const text of [...layers.texts, ...layers.codes]) {
    const matched = rulesIn(text)
    if (matched.length === 0) continue
    const rule = chosen(
      matched.map((one) => one.rule),
      lint,
    )
    const source = layers.texts.includes(text) ? { text } : {}
    const kind = kindOf(rule, text)
    return disputed(rule, text, status, lint) ?? { kind, rule, ...source }
  }
  return undefined
}

/** A relay or a shell may write one kind of quotes for another. */
function rulesIn(text: string): readonly Pattern[] {
  const found = matching(text)
  if (found.length > 0 || !/["'`]/.test(text)) return found
  for (const quote of ['`', "'", '"']) {
    const other = matching(text.replace(/["'`]/g, quote))
    if (other.length > 0) return other
  }
  return found
}

function matching(text: string): readonly Pattern[] {
  return patterns.filter(({ rejections }) => rejections.some((pattern) => pattern.test(text)))
}

const PREFILL: RuleId = 'last-assistant-prefill'
const UNDECLARED: RuleId = 'tools-undeclared-with-history'

/** One text, two rules: the findings of the sent body decide. */
function chosen(rules: readonly string[], lint: () => readonly Finding[]): string {
  if (rules.length === 1) return rules[0]!
  const found = new Set(lint().map(({ rule }) => rule))
  // If lint finds nothing, the fault is not visible in the history. A history that ends with the assistant is.
  return rules.find((rule) => found.has(rule)) ?? rules.find((rule) => rule !== PREFILL) ?? rules[0]!
}

/** Texts that mean the history at one provider and something else at another. */
function disputed(rule: string, text: string, status: number, lint: () => readonly Finding[]): Verdict | undefined {
  if (/^\W*Failed to parse tool call arguments as JSON/i.test(unwrapped(text))) {
    const kept = status >= 500 || lint().some((one) => one.rule.startsWith('tool-arguments'))
    return kept ? undefined : { kind: 'model-output', rule: 'model-tool-call-failed', text }
  }
  // Cerebras sometimes sends this for valid requests: those are only sent again.
  if (/messages with role \W*tool\W+must be a response to a prece+ding/i.test(text) && lint().length === 0)
    return { kind: 'retryable', rule, text }
  return undefined
}

const REASONING = /^(?:thinking-|thought-signature-|reasoning-|item-without-reasoning)/
const STALE = /^(?:item-id-(?!prefix|duplicate)|previous-response-)/

function kindOf(rule: string, text: string): RejectionKind {
  const repair = patterns.find((one) => one.rule === rule)?.repair
  // Tools and settings are outside the history: no edit of it helps.
  if (repair === 'none' || /parameter: '?tools\[/i.test(text)) return 'other'
  if (rule === UNDECLARED) return 'undeclared-tool'
  if (STALE.test(rule)) return 'stale-id'
  return REASONING.test(rule) ? 'reasoning' : 'history'
}

/** There is no text, or none with a meaning: lint decides, then the status. */
function ofStatus(layers: ErrorTexts, status: number, lint: () => readonly Finding[]): Verdict {
  const meant = layers.texts.filter((text) => !layers.prefixes.has(text))
  const silent = meant.every((text) => isOpaque(text))
  if (silent && status !== 401 && status !== 403 && status !== 404) {
    if (status === 413 || layers.texts.some((text) => /^\W*413\b/.test(text)))
      return { kind: 'size', rule: 'prompt-too-long' }
    if (status === 429) return { kind: 'retryable', rule: 'rate-limited' }
    if (status >= 500) return { kind: 'retryable', rule: 'server-error' }
    const dirty = lint().length > 0
    return { kind: dirty ? 'history' : 'other', rule: 'invalid-argument-opaque' }
  }
  if (silent) return { kind: 'other', rule: status === 404 ? 'not-found' : 'auth' }
  if (status === 429) return { kind: 'retryable', rule: 'rate-limited' }
  return status >= 500 && status !== 501 && status !== 505
    ? { kind: 'retryable', rule: 'server-error' }
    : { kind: 'other' }
}
