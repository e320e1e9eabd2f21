/** The options that the integrations share, and the repair with them. */
import type { OptionTable } from '../core/options.ts'
import { type Cause, type Policy, type Provider, type ProviderId, type Repaired, repair } from '../index.ts'

export interface IntegrationOptions<Message> {
  readonly policy?: Partial<Policy>
  /** Why results are missing. Default: `lost`. */
  readonly cause?: Cause
  /** Called once for each repair, with findings and patch. */
  readonly onRepair?: (repaired: Repaired<readonly Message[]>) => void
}

export const INTEGRATION_OPTIONS: OptionTable<IntegrationOptions<unknown>> = {
  policy: 'object',
  cause: 'string',
  onRepair: 'function',
}

/** The messages as the provider accepts them; the same array if nothing is wrong. */
export function repairFor<List extends readonly unknown[]>(
  provider: ProviderId | Provider,
  messages: List,
  { onRepair, ...options }: IntegrationOptions<List[number]> & { readonly inProgress?: boolean },
): List {
  const repaired = repair(messages, { provider, strict: true, ...options })
  if (repaired.patch.length > 0) onRepair?.(repaired)
  return repaired.value
}
