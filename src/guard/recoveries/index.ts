/**
 * Chooses the recovery after a rejection: the first one that applies, was not tried too often, and sends something that
 * was not sent before.
 */
import { betasIn } from '../../dialects/anthropic-messages/beta.ts'
import type { RuleId } from '../../rules/index.ts'
import { hashOf } from '../../strategies/shrink.ts'
import type { Rejection } from '../rejections/types.ts'
import { bindReasoning } from './bind-reasoning.ts'
import { dropRounds, summarizeOldest } from './cut-oldest.ts'
import { declareTools } from './declare-tools.ts'
import { disableThinking } from './disable-thinking.ts'
import { dropMedia } from './drop-media.ts'
import { dropRound } from './drop-round.ts'
import { forgetIds } from './forget-ids.ts'
import { lowerOutput } from './lower-output.ts'
import { repairStricter } from './repair.ts'
import { resend } from './resend.ts'
import { shrinkRest, shrinkResults } from './shrink-results.ts'
import { stripReasoning } from './strip-reasoning.ts'
import { tokensOfRequest } from './token-budget.ts'
import { type Attempt, type Recovered, type Recovery, timesTried } from './types.ts'
import { wait } from './wait.ts'

export { reapply } from './reapply.ts'
export { readHistory } from './stricter-repair.ts'
export type {
  Attempt,
  Recovered,
  RecoveryId,
  RecoveryOptions,
  RequestToSend,
  Summarizer,
} from './types.ts'

/** Recoveries for each kind of rejection, in order: those that keep all content come first. */
const byKind: Readonly<Record<Rejection['kind'], readonly Recovery[]>> = {
  history: [repairStricter],
  reasoning: [bindReasoning, repairStricter, stripReasoning, disableThinking],
  'stale-id': [forgetIds],
  'undeclared-tool': [declareTools],
  'output-limit': [lowerOutput, shrinkResults, dropRound, shrinkRest, summarizeOldest, dropRounds],
  size: [shrinkResults, dropRound, shrinkRest, summarizeOldest, dropRounds],
  'model-output': [resend],
  retryable: [wait],
  other: [],
}

const UNSUPPORTED_IMAGE: RuleId = 'image-unsupported'

/** Maximum number of recoveries for one request. */
export const MAX_RECOVERIES = 6

/** The first recovery that applies and was not tried in vain; undefined: the provider's error goes to the caller. */
export async function recover(attempt: Attempt): Promise<Recovered | undefined> {
  const { tried, options } = attempt
  if (tried.length >= (options.maxRecoveries ?? MAX_RECOVERIES)) return undefined
  for (const recovery of recoveriesFor(attempt)) {
    if (options.disabled?.includes(recovery.id)) continue
    if (timesTried(attempt, recovery.id) >= recovery.maxTimes) continue
    const recovered = await attempted(recovery, attempt)
    if (recovered && isNew(recovered, attempt)) return recovered
  }
  return undefined
}

/** Identifies what is sent: the body and the headers that recoveries change. */
export function fingerprint(body: Attempt['body'], headers: Attempt['headers']): string {
  return `${hashOf(body)}|${betasIn(headers)}`
}

function recoveriesFor(attempt: Attempt): readonly Recovery[] {
  const { kind, rule } = attempt.rejection
  if (rule === 'invalid-argument-opaque' && kind === 'other') return opaqueFor(attempt)
  if (rule === UNSUPPORTED_IMAGE) return [dropMedia]
  if (rule === 'request-too-large') return [shrinkResults, dropMedia, ...byKind.size.slice(1)]
  // A fault that lint does not find may be the provider's mistake: the request is first sent again unchanged.
  if (kind === 'retryable' && rule?.startsWith('tool-')) return [once(wait), repairStricter]
  // The same if no repair has anything to change. After a change, the rejection is taken seriously.
  if (kind === 'history' && attempt.tried.length === 0) return [repairStricter, once(wait)]
  // A round that was shrunk in vain is dropped before other results are shrunk.
  if (byKind[kind].includes(dropRound) && attempt.tried.includes('shrink'))
    return [dropRound, ...byKind[kind].filter((one) => one !== dropRound)]
  return byKind[kind]
}

/** From this size on, in tokens, a request that is rejected without a reason may be too long. */
const LARGE = 50_000

function opaqueFor(attempt: Attempt): readonly Recovery[] {
  const large = tokensOfRequest(attempt) >= (attempt.options.window ?? LARGE) / 2
  // A request that was shortened, or that may be too long, is never sent again unchanged.
  return large || attempt.tried.includes('shrink')
    ? [once(shrinkResults), once(shrinkRest), dropRound, summarizeOldest, dropRounds]
    : [once(wait)]
}

function once(recovery: Recovery): Recovery {
  return { ...recovery, maxTimes: 1 }
}

/** If a recovery throws, the next one is tried. */
async function attempted(recovery: Recovery, attempt: Attempt): Promise<Recovered | undefined> {
  try {
    return await recovery.try(attempt)
  } catch {
    return undefined
  }
}

/** Prevents loops: nothing is sent twice, except by `wait` and `resend`. */
function isNew(recovered: Recovered, { body, headers, sent = [] }: Attempt): boolean {
  if (recovered.body === body && recovered.headers === undefined)
    return recovered.id === 'wait' || recovered.id === 'resend'
  const print = fingerprint(recovered.body, recovered.headers ?? headers)
  return print !== fingerprint(body, headers) && !sent.includes(print)
}
