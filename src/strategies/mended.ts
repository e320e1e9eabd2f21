/**
 * A shorter list, repaired for its target, and the patch that leads there from the list as it was.
 */
import { type Edit, type Part, type Patch, repair, type Target } from '../core/index.ts'
import { patchBetween } from './between.ts'
import { isBound } from './reasoning.ts'

/** What was made shorter: the list as it was, and the request around it. */
export interface Shortened {
  readonly list: readonly unknown[]
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly target: Target
}

/** Repair for the target. Signed reasoning that is bound to what stood before it does not survive a change there. */
export function mend(
  { target, list: was, body }: Shortened,
  list: readonly unknown[],
): { list: readonly unknown[]; patch: Patch; input: unknown } {
  const { service, rules, model, sending, strict } = target
  const refused = isBound(service, model) && hasReasoning(list, was, target) ? ['thinking-bound-to-other-prefix'] : []
  const { key } = service.dialect
  const input = body ? { ...body, [key]: list } : list
  const asked = [...refused, ...(target.refused ?? [])]
  const { policy, cause } = target
  const repaired = repair<unknown>(input, { service, rules, model, sending, strict, refused: asked, policy, cause })
  const now = (body ? (repaired.history as Record<string, unknown>)[key] : repaired.history) as readonly unknown[]
  const around = repaired.patch.filter((edit): edit is Edit => edit.op === 'set' && edit.path.length === 0)
  const patch = [...patchBetween(was, now, body ? [key] : []), ...(body ? around : [])]
  return { list: now, patch, input: repaired.history }
}

function hasReasoning(
  list: readonly unknown[],
  was: readonly unknown[],
  { service }: Pick<Target, 'service'>,
): boolean {
  let same = 0
  while (same < list.length && list[same] === was[same]) same++
  const parts: Part[] = []
  for (let i = same; i < list.length; i++) service.dialect.read(list[i], i, parts)
  return parts.some(({ kind }) => kind === 'reasoning')
}
