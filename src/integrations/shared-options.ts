/**
 * The options that integrations share, and the repair of a list of messages with them.
 */
import type { OptionTable } from '../core/options.ts'
import { type Cause, type Policy, type ProviderOption, type Repaired, repair } from '../index.ts'

export interface SharedOptions<Messages> {
  readonly policy?: Partial<Policy>
  /** Why results are missing. Default: `lost`. */
  readonly cause?: Cause
  /** Called for each repair, with findings and patch. */
  readonly onRepair?: (repaired: Repaired<Messages>) => void
}

export const SHARED_OPTIONS: OptionTable<SharedOptions<unknown>> = {
  policy: 'object',
  cause: 'string',
  onRepair: 'function',
}

/** The messages as the provider accepts them; the same list if nothing is wrong. */
export function repaired<Messages extends readonly unknown[]>(
  provider: ProviderOption,
  messages: Messages,
  { onRepair, ...how }: SharedOptions<Messages>,
  inProgress = false,
): Messages {
  const done = repair(messages, { provider, strict: true, inProgress, ...how }) as Repaired<Messages>
  if (done.patch.length > 0) onRepair?.(done)
  return done.value
}
