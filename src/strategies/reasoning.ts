/**
 * Reasoning of finished turns taken out, where the provider does not ask for it back.
 * A chain goes whole, from the beginning up to the last prompt; what the model is thinking about now stays.
 */
import { isObject, own, type Part, type Service, severityOf, withKey } from '../core/index.ts'
import { type Rows, rowsOf, withParts } from './rows.ts'

/** Whether a law of this rule is in force for the model; one that may be counts. */
export function inForce(service: Service, rule: string, model: string | undefined): boolean {
  const stated = service.laws[rule]
  if (stated === undefined || stated === null) return false
  return [stated].flat().some((law) => severityOf(law as Parameters<typeof severityOf>[0], model) !== undefined)
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
  const referenced = dialect.items ? referencesFrom(rows) : []
  let done = 0
  for (let i = from; i < rows.length; i++) {
    const { parts } = rows[i]!
    // A signed thought of a service that looks for signatures on its calls may be the only one that has it.
    const gone = parts.filter(
      (part) => part.kind === 'reasoning' && !(part.type === 'thought' && part.sign !== undefined),
    )
    if (gone.length === 0) continue
    if (referenced[i]) continue
    if (dialect.items) done = releaseAnswer(i, done, rows, released)
    for (const part of gone) changes.set(part, undefined)
  }
  if (changes.size === 0) return history
  const freed = history.map((item, i) => (released.has(i) ? withoutId(item) : item))
  return withParts(freed, changes, dialect)
}

/** For each item whether it or a later one of its answer is a reference. */
function referencesFrom(rows: Rows['rows']): readonly boolean[] {
  const found: boolean[] = new Array(rows.length).fill(false)
  for (let i = rows.length - 1; i >= 0; i--) {
    const later = rows[i + 1]?.role === 'assistant' && found[i + 1]!
    found[i] = later || rows[i]!.parts.some(({ type }) => type === 'item_reference')
  }
  return found
}

/**
 * Later items of the same answer lose the ids that lead the provider to their reasoning; a reference cannot. Those before `done` already have.
 * Returns the end of the answer.
 */
function releaseAnswer(at: number, done: number, rows: Rows['rows'], released: Set<number>): number {
  let i = Math.max(at + 1, done)
  for (; i < rows.length && rows[i]!.role === 'assistant'; i++)
    if (rows[i]!.parts.every(({ kind }) => kind !== 'reasoning')) released.add(i)
  return i
}

function withoutId(item: unknown): unknown {
  return isObject(item) && own(item, 'id') !== undefined ? withKey(item, 'id', undefined) : item
}
