/**
 * Fixes as plain data. The steps of all findings of a pass are applied together, by place. If two steps write the same
 * thing, the first one wins and the other rule is checked again in the next pass.
 */
import type { Change } from './dialect.ts'
import type { Part } from './part.ts'

/** One step of a repair, relative to what was read. */
export type Step =
  /** Writes an id, name, arguments, text or result through the dialect. */
  | { readonly do: 'write'; readonly part: Part; readonly change: Change }
  /** Sets a key of the part's native value; `undefined` removes the key. */
  | { readonly do: 'set-part'; readonly part: Part; readonly key: string; readonly value: unknown }
  /** Puts another native value in the place of the part. */
  | { readonly do: 'replace'; readonly part: Part; readonly value: unknown }
  | { readonly do: 'remove'; readonly part: Part }
  /** Moves the part into a copy of its message right after it, together with all other parts that are moved so. */
  | { readonly do: 'split-out'; readonly part: Part }
  /** Moves a call out of a message that may not call, into an assistant message right after it. */
  | { readonly do: 'reassign'; readonly part: Part }
  /** Sets a key of the native message; `undefined` removes the key. */
  | { readonly do: 'set'; readonly message: number; readonly key: string; readonly value: unknown }
  /** Puts another native message in its place, and `more` after it; `undefined` removes it. */
  | {
      readonly do: 'replace-message'
      readonly message: number
      readonly value: unknown
      readonly more?: readonly unknown[]
    }
  /** Moves the message after another one. */
  | { readonly do: 'move'; readonly message: number; readonly after: number }
  /** Adds a message after this one; -1: at the beginning. */
  | { readonly do: 'insert'; readonly after: number; readonly value: unknown }
  /** Joins the message to the one before it, if both still have the same role. */
  | { readonly do: 'merge'; readonly message: number }
  /** Puts the results of this call's round where they belong, with synthetic ones for calls that have none. */
  | { readonly do: 'complete-round'; readonly call: number }
  /** Turns a result into a labeled note of the user, */
  | { readonly do: 'note'; readonly part: Part; readonly label: string }
  /** or makes the call again that it answers. */
  | { readonly do: 'rebuild-call'; readonly part: Part; readonly id: string; readonly name: string }
  /** Sets a key of the request body beside the history; `undefined` removes the key. */
  | { readonly do: 'set-request'; readonly key: string; readonly value: unknown }

/** The repair of one finding: steps in order. */
export type Fix = readonly Step[]

/** Where a step begins to change the history; undefined: only the request around it changes. */
export function placeOfStep(step: Step, calls: readonly Part[]): readonly [message: number, index: number] | undefined {
  if (step.do === 'set-request') return undefined
  if (step.do === 'complete-round') return [calls[step.call]!.message + 1, -1]
  if (step.do === 'insert') return [step.after + 1, -1]
  if (step.do === 'move') return [Math.min(step.message, step.after + 1), -1]
  return 'part' in step ? [step.part.message, step.part.index] : [step.message, -1]
}
