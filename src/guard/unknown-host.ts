/**
 * Hosts that Suture does not know (LiteLLM, Ollama, vLLM, a company's proxy): the path tells the dialect. Of the
 * constraints of the provider that made the dialect, only those that belong to the dialect itself are repaired before
 * sending. The others are limits of one vendor: they are assumed, and are repaired after a rejection that fits.
 */

import type { ConstraintTable, Provider } from '../core/index.ts'
import { anthropic } from '../providers/anthropic.ts'
import { bedrock } from '../providers/bedrock.ts'
import { gemini } from '../providers/gemini.ts'
import { openai } from '../providers/openai.ts'
import type { RuleId } from '../rules/index.ts'

/** Pairs of calls and results, and the shape of a message. */
const COMMON: ReadonlySet<string> = new Set<RuleId>([
  'content-missing',
  'content-shape',
  'lone-surrogate',
  'messages-empty',
  'server-tool-result-orphan',
  'tool-arguments-not-object',
  'tool-call-id-duplicate',
  'tool-call-id-empty',
  'tool-call-role',
  'tool-call-turn-order',
  'tool-calls-empty-array',
  'tool-result-count-mismatch',
  'tool-result-duplicate',
  'tool-result-missing',
  'tool-result-not-adjacent',
  'tool-result-not-object',
  'tool-result-orphan',
])

/** In the order of comparison. Gemini's and Bedrock's dialects have one vendor: other hosts forward to it. */
export const dialectOwners: readonly Provider[] = [common(anthropic), common(openai), gemini, bedrock]

function common({ id, hosts, serves }: Provider): Provider {
  return {
    id,
    hosts,
    serves: serves.map(({ dialect, constraints }) => ({ dialect, constraints: commonOf(constraints) })),
  }
}

function commonOf(constraints: ConstraintTable): ConstraintTable {
  return Object.fromEntries(
    Object.entries(constraints).map(([rule, one]) => [rule, !one || COMMON.has(rule) ? one : assumed(one)]),
  )
}

function assumed(stated: NonNullable<ConstraintTable[string]>): ConstraintTable[string] {
  return [stated].flat().map((one) => ({ ...one, evidence: 'inferred' }))
}
