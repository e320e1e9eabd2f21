/**
 * Reasoning of finished turns taken out, where the provider does not ask for it back.
 * A chain goes whole, from the beginning up to the last prompt; what the model is thinking about now stays.
 */
import { isObject, own, type Part, type Service, severityOf, withKey } from '../core/index.ts'
import { rowsOf, withParts } from './rows.ts'

/** Whether a law of this rule is in force for the model; one that may be counts. */
export function inForce(service: Service, rule: string, model: string | undefined): boolean {
  const stated = service.constraints[rule]
  if (stated === undefined || stated === null) return false
  return [stated].flat().some((one) => severityOf(one, model) !== undefined)
}

/** Signatures cover everything before them: any change takes all reasoning behind it along. */
export function isBound(service: Service, model: string | undefined): boolean {
  return inForce(service, 'thinking-bound-to-other-prefix', model)
}

/** The history without the reasoning from `from` up to `before`; the very same list where the provider wants it back, or there is none. */
export function dropReasoning(
  history: readonly unknown[],
  service: Service,
  model: string | undefined,
  before: number,
  from = 0,
): readonly unknown[] {
  if (inForce(service, 'reasoning-content-missing', model)) return history
  const { dialect } = service
  const { rows } = rowsOf(history.slice(0, before), dialect)
  const changes = new Map<Part, unknown>()
  const released = new Set<number>()
  for (let i = from; i < rows.length; i++) {
    const { parts } = rows[i]!
    // A signed thought of a service that looks for signatures on its calls may be the only one that has it.
    const gone = parts.filter(
      (part) => part.kind === 'reasoning' && !(part.type === 'thought' && part.signature !== undefined),
    )
    if (gone.length === 0) continue
    if (dialect.items && !releaseAnswer(i, rows, released)) continue
    for (const part of gone) changes.set(part, undefined)
  }
  if (changes.size === 0) return history
  const freed = history.map((item, i) => (released.has(i) ? withoutId(item) : item))
  return withParts(freed, changes, dialect)
}

/** Items of the same answer lose the ids that lead the provider to their reasoning; a reference cannot. */
function releaseAnswer(at: number, rows: ReturnType<typeof rowsOf>['rows'], released: Set<number>): boolean {
  let end = at + 1
  while (end < rows.length && rows[end]!.role === 'assistant') end++
  for (let i = at; i < end; i++) if (rows[i]!.parts.some(({ type }) => type === 'item_reference')) return false
  for (let i = at + 1; i < end; i++) if (rows[i]!.parts.every(({ kind }) => kind !== 'reasoning')) released.add(i)
  return true
}

function withoutId(item: unknown): unknown {
  return isObject(item) && own(item, 'id') !== undefined ? withKey(item, 'id', undefined) : item
}
