/** Parses and repairs the body of one request, and reports what was found. */
import {
  type Edit,
  type Finding,
  hasSpelling,
  isObject,
  isSutureError,
  type JsonObject,
  type Repaired,
  repair,
  type Target,
} from '../core/index.ts'
import { rules } from '../rules/index.ts'
import type { Endpoint } from './endpoint.ts'
import type { RuleCounts } from './events.ts'
import type { Settings } from './options.ts'

/** The parsed text of a body whose values were counted. */
export function parseText(text: string): JsonObject | 'not-json' | 'no-history' {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'not-json'
  }
  return isObject(value) ? value : 'no-history'
}

/**
 * A request may wait for others, so its limit is lower than that of a history in a file. A request of a million tokens
 * has some four megabytes, and room for 16,000 findings.
 */
const FINDING_LIMIT = { bytesPerFinding: 256, most: 20_000 }

/** The options of repair and lint for this endpoint. */
export function repairTargetFor(endpoint: Endpoint, settings: Settings): Target {
  const { provider, service, model = settings.model } = endpoint
  const { strict, policy, cause } = settings.repair ?? {}
  return { service, provider, rules, model, strict, policy, cause, findingLimit: FINDING_LIMIT }
}

/**
 * The repaired body; undefined if it has no history. `rememberNumbers`: keeps the spelling of the body's numbers, and
 * returns false if it has none. Called if something is changed.
 */
export function repairBody(
  body: JsonObject,
  target: Target,
  rememberNumbers: () => boolean = () => false,
): Repaired<JsonObject> | undefined {
  const first = tryRepair(body, target)
  // A changed message was copied before its numbers were known.
  const repeats = first && first.patch.length > 0 && rememberNumbers() && first.patch.some(removesNumbers)
  return repeats ? tryRepair(body, target) : first
}

function removesNumbers(edit: Edit): boolean {
  return edit.op === 'splice' ? edit.remove.some(hasSpelling) : hasSpelling(edit.was)
}

function tryRepair(body: JsonObject, target: Target): Repaired<JsonObject> | undefined {
  try {
    return repair(body, target)
  } catch (error) {
    if (isSutureError(error, 'not-a-history')) return undefined
    throw error
  }
}

/** Errors among findings, by rule. */
export function countByRule(findings: readonly Finding[]): RuleCounts {
  const counts: Record<string, number> = {}
  for (const { rule, severity } of findings) if (severity === 'error') counts[rule] = (counts[rule] ?? 0) + 1
  return counts
}

/** Counts in the form of the response header. */
export function findingsHeader(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([rule, count]) => (count === 1 ? rule : `${rule};n=${count}`))
    .join(', ')
}

const NO_EXTRA: Readonly<Record<string, string>> = {}

/** Response headers that report what was done. */
export function sutureHeaders(
  findings: string,
  tried: readonly string[] | undefined,
): Readonly<Record<string, string>> {
  if (findings === '' && !tried?.length) return NO_EXTRA
  const extra: Record<string, string> = {}
  if (findings !== '') extra['suture-findings'] = findings
  if (tried?.length) extra['suture-recovery'] = tried.join(', ')
  return extra
}
