/**
 * Each part of a patched history, with the part of the old history that it was made from. Parts that the patch did not
 * touch are the same objects.
 */
import { align, isObject, own } from '../../core/index.ts'
import { list, text } from '../json-values.ts'

/** The record of a part, and the index of the part in it. -1: the record has a plain string. */
export interface Origin {
  readonly record: number
  readonly slot: number
}

export interface RolePart {
  readonly role: string
  readonly part: unknown
  /** The message, where all parts of an answer are one record. */
  readonly message?: number
}

export interface ChangedPart extends RolePart {
  readonly origin?: Origin | undefined
  /** The part is another object than the one in the record. */
  readonly changed: boolean
}

export type Origins = ReadonlyMap<unknown, Origin>

/** The parts of messages whose content is a text or a list under `key`. */
export function partsIn(history: readonly unknown[], key: string): readonly RolePart[] {
  return history.flatMap((message, index) => {
    const content = own(message, key)
    const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (list(message, key) ?? [])
    return parts.map((part) => ({ role: text(message, 'role') ?? 'user', part, message: index }))
  })
}

/** Messages that are one part each. */
export function wholeMessages(history: readonly unknown[]): readonly RolePart[] {
  return history.map((part) => ({ role: text(part, 'role') ?? '', part }))
}

export function partChanges(
  before: readonly RolePart[],
  after: readonly RolePart[],
  origins: Origins,
): readonly ChangedPart[] {
  const isMadeFrom = [sameCall, sameOutput, sameKind, sameRole].map(
    (fits) => (was: number, now: number) => fits(before[was]!, after[now]!),
  )
  const parts = (list: readonly RolePart[]) => list.map(({ part }) => part)
  return align(parts(before), parts(after), { isMadeFrom }).map(({ from, same }, i) => {
    const origin = from < 0 ? undefined : origins.get(before[from]!.part)
    return { ...after[i]!, origin, changed: !same }
  })
}

function sameCall(a: RolePart, b: RolePart): boolean {
  const id = callId(a.part)
  return id !== undefined && id === callId(b.part) && kindOf(a.part) === kindOf(b.part)
}

/** A result with another id. */
function sameOutput(a: RolePart, b: RolePart): boolean {
  const output = outputOf(a.part)
  return output !== undefined && output === outputOf(b.part) && kindOf(a.part) === kindOf(b.part)
}

/** The content of a result. */
function outputOf(part: unknown): unknown {
  if (!isObject(part) || !RESULTS.has(kindOf(part))) return undefined
  return part['content'] ?? part['output'] ?? own(part['functionResponse'], 'response')
}

function sameKind(a: RolePart, b: RolePart): boolean {
  const kind = kindOf(a.part)
  if (kind !== kindOf(b.part) || a.role !== b.role) return false
  // A result with another id is a new one, unless it has the same content.
  return !RESULTS.has(kind) || callId(a.part) === callId(b.part)
}

/** A result that became a note, a part that became a text. */
function sameRole(a: RolePart, b: RolePart): boolean {
  return a.role === b.role && kindOf(a.part) !== kindOf(b.part) && !RESULTS.has(kindOf(b.part))
}

const RESULTS = new Set(['tool_result', 'function_call_output', 'functionResponse', 'tool'])

export function kindOf(part: unknown): string {
  if (!isObject(part)) return typeof part
  if (typeof part['type'] === 'string') return part['type']
  for (const key of ['functionCall', 'functionResponse', 'text']) if (part[key] !== undefined) return key
  return typeof part['role'] === 'string' ? part['role'] : 'object'
}

export function callId(part: unknown): string | undefined {
  if (!isObject(part)) return undefined
  for (const key of ['tool_use_id', 'call_id', 'tool_call_id', 'id'])
    if (typeof part[key] === 'string') return part[key]
  for (const key of ['functionCall', 'functionResponse']) {
    const inner = part[key]
    if (isObject(inner) && typeof inner['id'] === 'string') return inner['id']
  }
  return undefined
}
