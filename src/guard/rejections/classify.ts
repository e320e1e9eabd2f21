/**
 * Classifies a rejection: what its texts mean, the place in the history that it names, and the status. Reads error
 * texts, never the history. Words alone never make a rejection one that is sent again unchanged.
 */

import type { Finding } from '../../core/index.ts'
import type { RuleId } from '../../rules/index.ts'
import { classDescriptions } from './class-descriptions.ts'
import { type ErrorTexts, errorTextsIn } from './error-texts.ts'
import { type Meant, meaningOf } from './meaning.ts'
import { idsIn, type Place, placeIn } from './mentioned-ids.ts'
import { isOpaque, unwrapped } from './opaque-texts.ts'
import { retryAfterMs } from './retry-after.ts'
import { repairOf } from './rule-costs.ts'
import { sizeIn } from './size-errors.ts'
import type { RejectedResponse, Rejection, RejectionKind } from './types.ts'
import { fieldsIn } from './unknown-fields.ts'

type Verdict = Pick<Rejection, 'kind' | 'confidence' | 'limit' | 'actual' | 'output'> & {
  readonly rule?: string
  readonly text?: string
}

/** What a verdict is made of. */
interface Evidence {
  readonly layers: ErrorTexts
  readonly response: RejectedResponse
  readonly place: Place | undefined
  readonly words: Meant
  readonly codes: Meant
  readonly lint: () => readonly Finding[]
  readonly sends: (id: string) => boolean
}

/**
 * `lint` is called only if the text is ambiguous; `now` only for a retry-after date without a `date` header; `sends`,
 * whether the sent history has this id, only if nothing else is known about the text.
 */
export function classify(
  response: RejectedResponse,
  lint: () => readonly Finding[],
  now: () => number = Date.now,
  sends: (id: string) => boolean = () => false,
): Rejection {
  const layers = errorTextsIn(response.body)
  const meant = layers.texts.filter((text) => !isOpaque(text))
  const place = placeIn([...meant, ...layers.places])
  const evidence = { layers, response, place, lint, sends, words: meaningOf(meant), codes: meaningOf(layers.codes) }
  const verdict = withEvidence(verdictOf(evidence), evidence)
  const inText = verdict.text === undefined ? [] : [verdict.text]
  const texts = layers.log ? inText : [...inText, ...layers.texts]
  const fields = verdict.rule === undefined || !FIELDS.has(verdict.rule) ? [] : fieldsIn(layers.texts)
  const wait = verdict.kind === 'retryable' ? retryAfterMs(response, layers.texts, layers.delays, now) : undefined
  return {
    ...verdict,
    ids: idsIn(texts),
    ...(placeIn([...texts, ...layers.places]) ?? {}),
    ...(fields.length === 0 ? {} : { fields }),
    ...(wait === undefined ? {} : { wait }),
    text: verdict.text ?? meant[0] ?? layers.texts[0] ?? '',
  }
}

/** Rules about one field of a message. */
const FIELDS: ReadonlySet<string> = new Set<RuleId>(['unknown-field', 'reasoning-content-forbidden'])

function verdictOf(evidence: Evidence): Verdict {
  const { words, codes, layers } = evidence
  const failed = codes.meanings[0] === FAILED_CALL
  const meant = !failed && words.score >= Math.min(codes.score, 2) ? words : codes
  if (meant.meanings.length === 0) return ofPlace(evidence) ?? ofStatus(evidence)
  const rule = chosen(meant.meanings, evidence)
  const text = meant === words ? { text: words.text } : {}
  const described = classDescriptions[rule]
  if (!described) return ofRule(rule, meant, evidence)
  if (SETTINGS.has(rule) && evidence.place)
    return ofPlace(evidence) ?? { kind: 'history', confidence: 'likely', ...text }
  // The account pays, but for this minute: the provider says when to try again.
  if (rule === 'billing' && layers.delays.length > 0)
    return { kind: 'retryable', confidence: 'certain', rule: 'rate-limited', ...text }
  const confidence = meant.score >= 2 ? 'certain' : 'likely'
  if (!SIZES.has(rule)) return { kind: described.kind, confidence, rule, ...text }
  return { confidence, ...sizeIn(rule, words.text), ...text }
}

/** The model's own reply: its code says so, whatever the text quotes. */
const FAILED_CALL = 'model-tool-call-failed'

const SIZES: ReadonlySet<string> = new Set([
  'prompt-too-long',
  'request-too-large',
  'rate-tier-too-small',
  'max-tokens-overflow',
])

/** Classes of faults in the settings of a request: wrong if the text names a place in the history. */
const SETTINGS: ReadonlySet<string> = new Set([
  'bad-parameter',
  'beta-field-without-header',
  'not-found',
  'parameter-conflict',
  'unknown-model',
])

/** Several meanings fit equally well: the findings of the sent body decide. */
function chosen(meanings: readonly string[], { lint }: Evidence): string {
  const [first] = meanings
  if (meanings.length === 1 || meanings.every((one) => one in classDescriptions)) return first!
  const found = new Set(lint().map(({ rule }) => rule))
  return meanings.find((one) => found.has(one)) ?? first!
}

function ofRule(rule: string, { text, score, meanings }: Meant, evidence: Evidence): Verdict {
  const { response, lint, place } = evidence
  const confidence = score >= 3 || (score >= 2 && meanings.length === 1) || place ? 'certain' : 'likely'
  // Groq: the arguments of this reply, or of a call in the history.
  if (/^\W*Failed to parse tool call arguments as JSON/i.test(unwrapped(text))) {
    const kept = response.status >= 500 || lint().some((one) => one.rule.startsWith('tool-arguments'))
    if (!kept) return { kind: 'model-output', confidence, rule: FAILED_CALL, text }
  }
  // Cerebras sometimes sends this for valid requests: those are only sent again.
  if (/messages with role \W*tool\W+must be a response to a prece+ding/i.test(text) && lint().length === 0)
    return { kind: 'retryable', confidence, rule, text }
  return { kind: kindOf(rule, text), confidence, rule, text }
}

/** A place or an id of the history decides, if the words do not: the finding there is the fault. */
function ofPlace({ place, layers, lint, sends }: Evidence): Verdict | undefined {
  if (!place && !idsIn(layers.texts).some(sends)) return undefined
  const findings = lint()
  const found = findings.find((one) => place && one.at?.includes(place.message)) ?? findings[0]
  return found && { kind: kindOf(found.rule, ''), confidence: 'likely', rule: found.rule }
}

const REASONING = /^(?:thinking-|thought-signature-|reasoning-|item-without-reasoning)/
const STALE = /^(?:item-id-(?!prefix|duplicate)|previous-response-)/
const UNDECLARED: RuleId = 'tools-undeclared-with-history'

function kindOf(rule: string, text: string): RejectionKind {
  // Tools and settings are outside the history: no edit of it helps.
  if (repairOf(rule) === 'none' || /parameter: '?tools\[/i.test(text)) return 'other'
  if (rule === UNDECLARED) return 'undeclared-tool'
  if (STALE.test(rule)) return 'stale-id'
  return REASONING.test(rule) ? 'reasoning' : 'history'
}

/** There is no text, or none with a meaning: the status decides, and lint if it says nothing. */
function ofStatus({ layers, response: { status }, place, lint, sends }: Evidence): Verdict {
  const silent = layers.texts.every((text) => layers.prefixes.has(text) || isOpaque(text))
  if (status === 413 || layers.texts.some((text) => /^\W*413\b/.test(text)))
    return { kind: 'size', confidence: 'likely', rule: silent ? 'prompt-too-long' : 'request-too-large' }
  if (status === 429) return { kind: 'retryable', confidence: 'certain', rule: 'rate-limited' }
  if (status >= 500 && status !== 501 && status !== 505)
    return { kind: 'retryable', confidence: 'likely', rule: 'server-error' }
  if (status === 423) return { kind: 'retryable', confidence: 'likely', rule: 'conversation-locked' }
  if (place || idsIn(layers.texts).some(sends)) return { kind: 'history', confidence: 'likely' }
  if (!silent || layers.log) return { kind: 'other', confidence: 'unknown' }
  if (status === 401 || status === 403) return { kind: 'other', confidence: 'certain', rule: 'auth' }
  if (status === 404) return { kind: 'other', confidence: 'certain', rule: 'not-found' }
  const kind = lint().length > 0 ? 'history' : 'other'
  return { kind, confidence: 'unknown', rule: 'invalid-argument-opaque' }
}

/** A rejection is sent again unchanged only if its status, a header or a code says that it is for a time. */
function withEvidence(verdict: Verdict, { response: { status, headers }, layers, codes }: Evidence): Verdict {
  if (verdict.kind !== 'retryable' || !verdict.rule || !(verdict.rule in classDescriptions)) return verdict
  const stated = status === 0 || status === 200 || status === 408 || status === 409 || status === 423 || status === 429
  const coded = codes.meanings.some((one) => classDescriptions[one]?.kind === 'retryable')
  const asked =
    headers.get('retry-after') !== null || headers.get('retry-after-ms') !== null || layers.delays.length > 0
  const locked = verdict.rule === 'conversation-locked' && verdict.confidence === 'certain'
  if (stated || status >= 500 || coded || asked || locked) return verdict
  return { ...verdict, kind: 'other', confidence: 'likely' }
}
