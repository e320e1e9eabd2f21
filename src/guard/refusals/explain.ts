/**
 * What an error text means, for a person who has one in hand: the rule, what mends it, and whether the guard does.
 */
import { classify } from './classify.ts'
import { statusOf, textOf } from './error-text.ts'
import { meanings } from './meanings.ts'
import { patterns } from './patterns.ts'
import type { Refusal, RefusalKind } from './types.ts'

export interface Explanation {
  readonly kind: RefusalKind | 'unknown'
  /** The rule, or the name of the class where no rule is about it. */
  readonly rule?: string
  /** What must hold. */
  readonly says: string
  /** What happens otherwise. */
  readonly why: string
  /** What mends it, and whether the guard does. */
  readonly mends: string
  /** The page about it, in the documentation. */
  readonly link: string
  /** What the text itself names, as far as it does. */
  readonly ids: readonly string[]
  readonly message?: number
  readonly limit?: number
  readonly actual?: number
}

const GUIDE = 'docs/guide/refusals.md'

/** Takes the whole error as it came: a message, a body as text or parsed, a log line with JSON in it, or the `Error` that a client threw. */
export function explain(error: unknown): Explanation {
  const refusal = classify({ status: statusOf(error), headers: { get: () => null }, body: textOf(error) }, () => [])
  return { ...meaningOf(refusal), ...namedIn(refusal) }
}

function meaningOf(refusal: Refusal): Omit<Explanation, 'ids'> {
  const { kind, rule } = refusal
  const page = patterns().find((one) => one.rule === rule)
  if (page && rule !== undefined) {
    const { says, why } = page
    return { kind, rule, says, why, mends: mendsOf(kind, page.repair), link: `docs/rules/${rule}.md` }
  }
  const meaning = rule === undefined ? undefined : meanings[rule]
  if (meaning && rule !== undefined) return { kind, rule, ...meaning, link: GUIDE }
  return {
    kind: 'unknown',
    says: 'This text is not known.',
    why: 'It names no rule, no size and no wait that was seen before; the guard passes such an error on as it came.',
    mends:
      'Lint the request that was refused: `lint(body, { provider })` finds what the text does not say. Found nothing? The cause is beside the history: key, model, parameters.',
    link: GUIDE,
  }
}

function mendsOf(kind: RefusalKind, repair: 'safe' | 'lossy' | 'none'): string {
  if (kind === 'other' || repair === 'none')
    return 'No edit of the history mends it: change the request beside the history.'
  const cost = repair === 'safe' ? 'nothing said is lost' : 'what has to go is in the patch, and can be undone'
  return `\`repair(body, { provider, refused: [rule] })\` mends it (${cost}); the guard does so and sends again.`
}

function namedIn({ ids, message, limit, actual }: Refusal): Pick<Explanation, 'ids' | 'message' | 'limit' | 'actual'> {
  return {
    ids,
    ...(message === undefined ? {} : { message }),
    ...(limit === undefined ? {} : { limit }),
    ...(actual === undefined ? {} : { actual }),
  }
}
