/**
 * From a rejection's every layer to what it is about. History rules before size rules: `too long` is said of ids too.
 * The status decides only where nothing is said at all.
 */
import type { Finding } from '../../core/index.ts'
import { type ErrorClass, isOpaque, modelOutput, permanent, request, retryable, tierTooSmall } from './error-classes.ts'
import { type ErrorTexts, errorTextsIn } from './error-texts.ts'
import { idsIn, placeIn } from './mentioned-ids.ts'
import { retryAfterMs } from './retry-after.ts'
import { patterns } from './rule-patterns.ts'
import { pointsIntoHistory, schemaFault } from './schema-errors.ts'
import { numbersIn, sizeIn } from './size-errors.ts'
import type { RejectedResponse, Rejection, RejectionKind } from './types.ts'
import { fieldsIn } from './unknown-fields.ts'

type Verdict = Pick<Rejection, 'kind' | 'limit' | 'actual' | 'output'> & {
  readonly rule?: string
  readonly text?: string
}

/** `lint` is asked only where the text alone is ambiguous; `now` only for a retry-after date without a `date` header beside it. */
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

/** Rules that are about one field of a message. */
const FIELDS = new Set(['unknown-field', 'reasoning-content-forbidden'])

/** The innermost text that says something. */
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

/** Throttling words, then sizes; money and keys before both, since waiting and shortening are no use there. */
function ofSizeOrRate(layers: ErrorTexts): Verdict | undefined {
  const tier = ofClass([tierTooSmall], layers)
  // One request over the whole budget of a minute; with something used of it, it only has to wait.
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
    for (const { name, kind, text: pattern } of classes) {
      if (pattern?.test(text)) return { kind, rule: name, text }
    }
  }
  return undefined
}

function ofCode(classes: readonly ErrorClass[], { codes }: ErrorTexts): Verdict | undefined {
  for (const code of codes) {
    for (const { name, kind, code: pattern } of classes) if (pattern?.test(code)) return { kind, rule: name }
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
    const matched = patterns().filter(({ rejections }) => rejections.some((pattern) => pattern.test(text)))
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

/** One text, two rules: what was sent tells them apart. */
function chosen(rules: readonly string[], lint: () => readonly Finding[]): string {
  if (rules.length === 1) return rules[0]!
  const found = new Set(lint().map(({ rule }) => rule))
  // Where nothing is found it is what cannot be seen: a history that ends with the model would have been.
  return rules.find((rule) => found.has(rule)) ?? rules.find((rule) => rule !== 'last-assistant-prefill') ?? rules[0]!
}

/** Texts that are about the history at one provider and about something else at another. */
function disputed(rule: string, text: string, status: number, lint: () => readonly Finding[]): Verdict | undefined {
  if (/^\W*Failed to parse tool call arguments as JSON/i.test(text)) {
    const kept = status >= 500 || lint().some((one) => one.rule.startsWith('tool-arguments'))
    return kept ? undefined : { kind: 'model-output', rule: 'model-tool-call-failed', text }
  }
  // Said now and then of valid requests (Cerebras): those are only sent again.
  if (/messages with role \W*tool\W+must be a response to a prece+ding/i.test(text) && lint().length === 0)
    return { kind: 'retryable', rule, text }
  return undefined
}

const REASONING = /^(?:thinking-|thought-signature-|reasoning-|item-without-reasoning)/
const STALE = /^(?:item-id-(?!prefix|duplicate)|previous-response-)/

function kindOf(rule: string, text: string): RejectionKind {
  const repair = patterns().find((one) => one.rule === rule)?.repair
  // Tools and settings are outside the history: no edit of it helps.
  if (repair === 'none' || /parameter: '?tools\[/i.test(text)) return 'other'
  if (rule === 'tools-undeclared-with-history') return 'undeclared-tool'
  if (STALE.test(rule)) return 'stale-id'
  return REASONING.test(rule) ? 'reasoning' : 'history'
}

/** Nothing is said, or nothing that means anything: the lint first, then the status. */
function ofStatus(layers: ErrorTexts, status: number, lint: () => readonly Finding[]): Verdict {
  const silent = layers.texts.every((text) => isOpaque(text))
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
