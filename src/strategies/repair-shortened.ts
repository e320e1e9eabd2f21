/** Repairs a shortened list for its target and makes the patch from the original list. */
import { diffMessages, type Edit, type Patch, repair, sharedEnds, type Target, Transcript } from '../core/index.ts'
import { BOUND, isBound } from './reasoning.ts'

/** The original list, and the request body around it. */
export interface ShortenInput {
  readonly list: readonly unknown[]
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly target: Target
}

/** Signed reasoning that covers the messages before it is removed if one of those changed. */
export function repairShortened(
  { target, list: was, body }: ShortenInput,
  list: readonly unknown[],
): { list: readonly unknown[]; patch: Patch; input: unknown } {
  // A shortened history is not converted, and its findings are not limited.
  const { convert: _convert, findingLimit: _findingLimit, ...own } = target
  const { service, model } = target
  const bound = isBound(service, model) && hasReasoning(list, was, target) ? [BOUND] : []
  const { key } = service.dialect
  const input = body ? { ...body, [key]: list } : list
  const rejectedBy = [...bound, ...(target.rejectedBy ?? [])]
  const repaired = repair<unknown>(input, { ...own, rejectedBy })
  const now = (body ? (repaired.value as Record<string, unknown>)[key] : repaired.value) as readonly unknown[]
  const around = repaired.patch.filter((edit): edit is Edit => edit.op === 'set' && edit.path.length === 0)
  const patch = [...diffMessages(was, now, body ? [key] : []), ...(body ? around : [])]
  return { list: now, patch, input: repaired.value }
}

function hasReasoning(
  list: readonly unknown[],
  was: readonly unknown[],
  { service }: Pick<Target, 'service'>,
): boolean {
  const { start } = sharedEnds(was, list)
  return new Transcript(list.slice(start), service.dialect).reasoning.length > 0
}
