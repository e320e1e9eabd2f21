/**
 * `suture/ai-sdk`: the AI SDK's model messages before each step, its stored UI messages, and the middleware for a
 * wrapped model. Types are structural: the AI SDK is not imported, and its versions 5 to 7 have the same shape here.
 */
import { checkOptions } from '../core/options.ts'
import { repaired, SHARED_OPTIONS, type SharedOptions } from './shared-options.ts'

export { type Middleware, middleware } from '../guard/middleware.ts'

export type RepairMessagesOptions = SharedOptions<readonly unknown[]>

/**
 * For `generateText({ prepareStep: prepareStep() })`: messages that the SDK itself would reject
 * (`AI_MissingToolResultsError`) are repaired for this call. Your stored messages stay as they are; repair them with
 * `repairModelMessages` or `repairUIMessages` when you load them.
 */
export function prepareStep(options: RepairMessagesOptions = {}) {
  checkOptions<RepairMessagesOptions>('prepareStep', options, SHARED_OPTIONS)
  return <M>({ messages }: { messages: M[] }): { messages?: M[] } => {
    const now = repairModelMessages(messages, options)
    return now === messages ? {} : { messages: now }
  }
}

/** Model messages as every model accepts them; the same array if nothing is wrong. */
export function repairModelMessages<M>(messages: M[], options: RepairMessagesOptions = {}): M[] {
  checkOptions<RepairMessagesOptions>('repairModelMessages', options, SHARED_OPTIONS)
  return repaired('ai-sdk', messages, options)
}

/**
 * Stored UI messages, before `convertToModelMessages`: unfinished tool parts get an error that states that the outcome
 * is unknown; the SDK would drop them. `inProgress: true` leaves the parts of the last message alone, such as one that
 * waits for an approval. Store what comes back.
 */
export function repairUIMessages<M>(
  messages: M[],
  options: RepairMessagesOptions & { readonly inProgress?: boolean } = {},
): M[] {
  checkOptions<RepairMessagesOptions & { inProgress?: boolean }>('repairUIMessages', options, {
    ...SHARED_OPTIONS,
    inProgress: 'boolean',
  })
  const { inProgress = false, ...how } = options
  return repaired('ai-sdk-ui', messages, how, inProgress)
}
