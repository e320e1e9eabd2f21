/**
 * Signed reasoning. Each block is checked against those before it. So blocks are removed from the beginning, or from a
 * place to the end, or all: never one from the middle.
 */
import { type Fix, isObject, type Part, type Path, type Transcript, valueAt, withValueAt } from '../../core/index.ts'

export function removals(parts: readonly Part[]): Fix {
  return parts.map((part) => ({ do: 'remove', part }))
}

/** The next prompt at or after this message; the end of the history if there is none. */
export function promptFrom(t: Transcript, message: number): number {
  let at = message
  while (at < t.history.length && !t.isPrompt(at)) at++
  return at
}

/** The last prompt before this message; -1: none. */
export function promptBefore(t: Transcript, message: number): number {
  let at = message - 1
  while (at >= 0 && !t.isPrompt(at)) at--
  return at
}

/** How a request asks the provider to drop blocks that do not fit, instead of rejecting them. */
export interface DropSetting {
  /** Path in the request of the object that switches thinking on. */
  readonly setting: Path
  /** Path in that object, and its value for dropping. */
  readonly path: Path
  readonly drop: string
  /** The value by which the caller asks for a rejection. */
  readonly fail: string
}

/** Lets a request through whose blocks are bound to another beginning; undefined: the request handles it already. */
export function releaseBlocks(
  t: Transcript,
  parts: readonly Part[],
  dropping: DropSetting | undefined,
): Fix | undefined {
  const setting = dropping && t.request ? valueAt(t.request, dropping.setting) : undefined
  if (!dropping || !isObject(setting)) return removals(parts)
  const behavior = valueAt(setting, dropping.path)
  if (behavior === dropping.drop) return undefined
  if (behavior === dropping.fail) return []
  if (setting['type'] === 'disabled') return removals(parts)
  const [key, ...rest] = dropping.setting as readonly [string, ...string[]]
  const value = withValueAt(t.request![key], [...rest, ...dropping.path], dropping.drop)
  return [{ do: 'set-request', key, value }]
}

/** Redacted thinking has no text that a signature could be wrong for. */
export function isBlanked({ signature, type }: Part): boolean {
  if (signature == null || type.startsWith('redacted')) return false
  return typeof signature !== 'string' || signature === ''
}
