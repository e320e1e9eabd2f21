/** Explains an error text: the rule, how to fix it, and whether the guard does. */

import { explanations } from '../../rules/index.ts'
import { classDescriptions } from './class-descriptions.ts'
import { classify } from './classify.ts'
import { statusOf, textOf } from './client-error-text.ts'
import { installedPage } from './docs-pages.ts'
import { repairOf } from './rule-costs.ts'
import type { Confidence, Rejection, RejectionKind } from './types.ts'

/** Ids, places and sizes that the text names. */
type Named = Pick<Rejection, 'ids' | 'message' | 'part' | 'limit' | 'actual'>

/** What an error text means. */
export interface ErrorExplanation extends Named {
  readonly kind: RejectionKind | 'unknown'
  /** How sure rule and kind are. */
  readonly confidence: Confidence
  /** The rule, or the name of the class if no rule applies. */
  readonly rule?: string
  /** What must hold. */
  readonly summary: string
  /** What happens otherwise. */
  readonly why: string
  /** How to fix it, and whether the guard does. */
  readonly fix: string
  /** The page about it, as a path in a project with this package: `node_modules/suture/docs/…`. */
  readonly link: string
  /** The page with the known error texts of this rule, or of all rules, by provider. */
  readonly texts: string
}

const GUIDE = installedPage('guide/rejections.md')
const TEXTS = installedPage('rejections.md')

/** Takes a message, a body as text or parsed, a log line with JSON in it, or the `Error` that a client threw. */
export function explain(error: unknown): ErrorExplanation {
  const rejection = classify({ status: statusOf(error), headers: { get: () => null }, body: textOf(error) }, () => [])
  return { ...meaningOf(rejection), ...namedIn(rejection) }
}

function meaningOf(rejection: Rejection): Omit<ErrorExplanation, keyof Named> {
  const { kind, rule, confidence } = rejection
  const explanation = rule === undefined ? undefined : explanations[rule]
  if (explanation && rule !== undefined) {
    const { summary, why } = explanation
    const [link, texts] = [installedPage(`rules/${rule}.md`), `${TEXTS}#rule-${rule}`]
    return { kind, confidence, rule, summary, why, fix: fixFor(kind, repairOf(rule)!), link, texts }
  }
  const meaning = rule === undefined ? undefined : classDescriptions[rule]
  if (meaning && rule !== undefined) {
    const page = installedPage(`errors/${rule}.md`)
    return { ...meaning, kind, confidence, rule, link: page, texts: page }
  }
  if (kind === 'history') return { ...ofPart(rejection), kind, confidence, link: GUIDE, texts: TEXTS }
  return {
    confidence,
    kind: 'unknown',
    summary: 'This error text is not known.',
    why: 'It matches no known rejection, size limit or rate limit. The guard returns such an error unchanged.',
    fix: 'Lint the rejected request: `lint(body, { provider })`. If it finds nothing, the cause is outside the history: key, model, parameters.',
    link: GUIDE,
    texts: TEXTS,
  }
}

/** The text names a place in the history, and its words mean no rule. */
function ofPart({ message, part }: Rejection): Pick<ErrorExplanation, 'summary' | 'why' | 'fix'> {
  const place = part === undefined ? `message ${message}` : `\`${part}\` of message ${message}`
  return {
    summary: `The provider accepts ${place}.`,
    why: `The provider rejects ${place}. The text is not known, but it names a place in the history.`,
    fix: 'Lint the rejected request: `lint(body, { provider })`. Warnings at this place count. The guard repairs this message strictly and sends the request again.',
  }
}

function fixFor(kind: RejectionKind, repair: 'safe' | 'lossy' | 'none'): string {
  if (kind === 'other' || repair === 'none')
    return 'No edit of the history fixes it: change the other fields of the request.'
  const cost = repair === 'safe' ? 'no content is lost' : 'what is removed is in the patch and can be restored'
  return `\`repair(body, { provider, rejectedBy: [rule] })\` fixes it (${cost}); the guard does so and sends again.`
}

function namedIn({ ids, message, part, limit, actual }: Rejection): Named {
  return {
    ids,
    ...(message === undefined ? {} : { message }),
    ...(part === undefined ? {} : { part }),
    ...(limit === undefined ? {} : { limit }),
    ...(actual === undefined ? {} : { actual }),
  }
}
