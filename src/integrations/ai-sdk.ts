/**
 * `suture/ai-sdk`: the AI SDK's model messages before each step, its stored UI messages, and the middleware for a
 * wrapped model. Types are structural: the AI SDK is not imported, and its versions 5 to 7 have the same shape here.
 */
import { checkOptions } from '../core/options.ts'
import { INTEGRATION_OPTIONS, type IntegrationOptions, repairFor } from './repair-for.ts'

export { type Middleware, middleware } from '../guard/middleware.ts'

/** Options of `repairMessages`. */
export type RepairMessagesOptions = IntegrationOptions<unknown>

/**
 * For `generateText({ prepareStep: prepareStep() })`: messages that the SDK itself would reject
 * (`AI_MissingToolResultsError`) are repaired for this call. Your stored messages stay as they are; repair them with
 * `repairModelMessages` or `repairUIMessages` when you load them.
 */
export function prepareStep(options: RepairMessagesOptions = {}) {
  checkOptions('prepareStep', options, INTEGRATION_OPTIONS)
  return <M>({ messages }: { messages: M[] }): { messages?: M[] } => {
    const now = repairModelMessages(messages, options)
    return now === messages ? {} : { messages: now }
  }
}

/** Model messages as every model accepts them; the same array if nothing is wrong. */
export function repairModelMessages<M>(messages: M[], options: RepairMessagesOptions = {}): M[] {
  checkOptions('repairModelMessages', options, INTEGRATION_OPTIONS)
  return repairFor('ai-sdk', messages, options)
}

/**
 * Stored UI messages, before `convertToModelMessages`: unfinished tool parts get an error that states that the outcome
 * is unknown; the SDK would drop them. `inProgress: true` leaves the parts of the last message alone, such as one that
 * waits for an approval. Store the result.
 */
export function repairUIMessages<M>(
  messages: M[],
  options: RepairMessagesOptions & { readonly inProgress?: boolean } = {},
): M[] {
  checkOptions('repairUIMessages', options, { ...INTEGRATION_OPTIONS, inProgress: 'boolean' })
  return repairFor('ai-sdk-ui', messages, options)
}
