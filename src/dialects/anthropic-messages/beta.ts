/** The beta features that a request to Claude asks for: in a header, or in the body on Bedrock. */
import { type JsonObject, valueAt, withValueAt } from '../../core/index.ts'

const HEADER = 'anthropic-beta'
const FIELD = 'anthropic_beta'

export interface BetaRequest {
  readonly body: JsonObject
  /** All headers, if they changed. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The value of the beta header. */
export function betasIn(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER)?.[1] ?? ''
}

/** The request with this beta. `setting`: the path of the setting that needs it; on Bedrock the beta is beside it. */
export function withBeta(
  { body, headers, provider }: { body: JsonObject; headers: Readonly<Record<string, string>>; provider: string },
  beta: string,
  setting: readonly string[],
): BetaRequest {
  if (provider === 'bedrock') return { body: withBetaField(body, [...setting.slice(0, -1), FIELD], beta) }
  const key = Object.keys(headers).find((name) => name.toLowerCase() === HEADER) ?? HEADER
  const named = (headers[key] ?? '').split(',').map((one) => one.trim())
  if (named.includes(beta)) return { body }
  return { body, headers: { ...headers, [key]: [...named.filter((one) => one !== ''), beta].join(',') } }
}

function withBetaField(body: JsonObject, path: readonly string[], beta: string): JsonObject {
  const named = valueAt(body, path)
  const list = Array.isArray(named) ? named : []
  return list.includes(beta) ? body : withValueAt(body, path, [...list, beta])
}
