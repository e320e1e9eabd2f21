/**
 * `suture/ai-sdk`: the AI SDK's model messages before each step, its stored UI messages, and the middleware for a wrapped model.
 * Types are structural: the AI SDK is not imported, and its versions 5 to 7 have the same shape here.
 */
import { checkOptions, type OptionTable } from '../core/options.ts'
import { type Cause, type Policy, type ProviderId, type Repaired, repair } from '../index.ts'

export { type Middleware, middleware } from '../guard/middleware.ts'

export interface RepairMessagesOptions {
  readonly policy?: Partial<Policy>
  /** Why results are missing. Default: `lost`. */
  readonly cause?: Cause
  /** Called for each repair, with findings and patch. */
  readonly onRepair?: (repaired: Repaired<readonly unknown[]>) => void
}

const optionTable: OptionTable<RepairMessagesOptions> = { policy: 'object', cause: 'string', onRepair: 'function' }

function repairAs<M>(
  provider: ProviderId,
  messages: M[],
  { onRepair, ...how }: RepairMessagesOptions,
  inProgress = false,
): M[] {
  const repaired = repair(messages, { provider, strict: true, inProgress, ...how })
  if (repaired.patch.length > 0) onRepair?.(repaired)
  return repaired.value
}

/**
 * For `generateText({ prepareStep: prepareStep() })`: messages that the SDK itself would reject (`AI_MissingToolResultsError`) are repaired for this call.
 * Your stored messages stay as they are; repair them with `repairModelMessages` or `repairUIMessages` when you load them.
 */
export function prepareStep(options: RepairMessagesOptions = {}) {
  checkOptions<RepairMessagesOptions>('prepareStep', options, optionTable)
  return <M>({ messages }: { messages: M[] }): { messages?: M[] } => {
    const now = repairModelMessages(messages, options)
    return now === messages ? {} : { messages: now }
  }
}

/** Model messages as every model accepts them; the same array if nothing is wrong. */
export function repairModelMessages<M>(messages: M[], options: RepairMessagesOptions = {}): M[] {
  checkOptions<RepairMessagesOptions>('repairModelMessages', options, optionTable)
  return repairAs('ai-sdk', messages, options)
}

/**
 * Stored UI messages, before `convertToModelMessages`: unfinished tool parts get an error that states that the outcome is unknown; the
 * SDK would drop them. `inProgress: true` leaves the parts of the last message alone, such as one that waits for an approval. Store what
 * comes back.
 */
export function repairUIMessages<M>(
  messages: M[],
  options: RepairMessagesOptions & { readonly inProgress?: boolean } = {},
): M[] {
  checkOptions<RepairMessagesOptions & { inProgress?: boolean }>('repairUIMessages', options, {
    ...optionTable,
    inProgress: 'boolean',
  })
  const { inProgress = false, ...how } = options
  return repairAs('ai-sdk-ui', messages, how, inProgress)
}
