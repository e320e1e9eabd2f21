/**
 * What the rules on signed reasoning share. Each block is checked against those before it, so blocks go from the beginning on,
 * or from a place to the end, or all: never one from the middle.
 */
import {
  type Bound,
  HAS_RESULT,
  isObject,
  own,
  type Part,
  type Quiet,
  ROLE,
  type Step,
  valueAt,
  type Walk,
  withValueAt,
} from '../core/index.ts'
import { shared } from './memory.ts'
import { mendingSteps } from './mends.ts'

interface Reasoning {
  parts: Part[]
  /** Message and place in it of what was only glanced at, one after the other. */
  glanced: number[]
}

/** All reasoning of the history, in order. One list for all rules that ask. */
export function reasoningOf(walk: Walk): readonly Part[] {
  const memory = memoryOf(walk)
  const { glanced } = memory
  if (glanced.length === 0) return memory.parts
  const parts = [...memory.parts]
  for (let i = 0; i < glanced.length; i += 2) {
    const read: Part[] = []
    walk.dialect.read(walk.history[glanced[i]!], glanced[i]!, read)
    parts.push(read[glanced[i + 1]!]!)
  }
  memory.parts = parts.sort((a, b) => a.message - b.message || a.index - b.index)
  memory.glanced = []
  return memory.parts
}

/** Reasoning that may have something odd about it. */
export function oddReasoningOf(walk: Walk): readonly Part[] {
  return memoryOf(walk).parts
}

export function remember(part: Part, _bound: Bound, walk: Walk): void {
  const { parts, glanced } = memoryOf(walk)
  // Its message was glanced at before something else in it was odd.
  while (glanced.length > 0 && glanced.at(-2) === part.message) glanced.length -= 2
  if (parts.at(-1) !== part) parts.push(part)
}

/** All reasoning counts, but what is signed is only read when a rule has something to say of it. */
export function signed({ refused }: Bound): Quiet | undefined {
  return refused ? undefined : { reasoning: rememberPlace }
}

function rememberPlace(_text: string, _sign: string, walk: Walk, message: number, place: number): boolean {
  memoryOf(walk).glanced.push(message, place)
  return true
}

function memoryOf(walk: Walk): Reasoning {
  return shared(walk, 'reasoning', () => ({ parts: [], glanced: [] }))
}

export function removals(parts: readonly Part[]): readonly Step[] {
  return parts.map((part) => ({ do: 'remove', part }))
}

/** The next message at or behind this place in which the user speaks, results aside; the end if there is none. */
export function promptFrom(index: number, { outlines }: Walk): number {
  let at = index
  while (at < outlines.length && !isPrompt(outlines[at]!)) at++
  return at
}

/** The last prompt before this place; -1: none. */
export function promptBefore(index: number, { outlines }: Walk): number {
  let at = index - 1
  while (at >= 0 && !isPrompt(outlines[at]!)) at--
  return at
}

export function lastAssistant({ outlines }: Walk): number {
  let at = outlines.length - 1
  while (at >= 0 && (outlines[at]! & 7) !== ROLE.assistant) at--
  return at
}

function isPrompt(outline: number): boolean {
  return (outline & 7) === ROLE.user && (outline & HAS_RESULT) === 0
}

/**
 * What lets a request through whose blocks are bound to another beginning: the provider's own setting where there is one, which
 * costs only the blocks that really do not fit, else all blocks go. None where the caller asked to be refused.
 */
export function release(parts: readonly Part[], bound: Bound, walk: Walk): readonly Step[] | 'handled' {
  const path = bound.law['setting'] as readonly string[] | undefined
  const setting = path && walk.body ? valueAt(walk.body, path) : undefined
  if (!path || !isObject(setting)) return removals(parts)
  const binding = own(setting, 'block_binding')
  const behavior = own(binding, 'prefix_mismatch_behavior')
  if (behavior === 'drop_block') return 'handled'
  if (behavior === 'error') return []
  if (own(setting, 'type') === 'disabled' || setsBody(path[0]!, walk)) return removals(parts)
  const now = { ...(isObject(binding) ? binding : {}), prefix_mismatch_behavior: 'drop_block' }
  const [key, ...rest] = path
  return [{ do: 'body', key: key!, value: withValueAt(walk.body![key!], [...rest, 'block_binding'], now) }]
}

function setsBody(key: string, walk: Walk): boolean {
  return mendingSteps(walk).some((step) => step.do === 'body' && step.key === key)
}
