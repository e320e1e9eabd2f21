import type { Dialect } from '../../core/index.ts'
import { Draft } from './draft.ts'
import type { Random } from './random.ts'

/** One way in which histories break, as a function that breaks one. */
export interface Corruption {
  readonly id: string
  readonly description: string
  /** The public report that it is modeled on. */
  readonly source: string
  /** A broken copy of the history; undefined if the corruption does not apply. */
  apply(history: readonly unknown[], dialect: Dialect, random: Random): unknown[] | undefined
}

/** Breaks the draft; false: the corruption does not apply. */
type Break = (draft: Draft) => boolean

export function corruption(id: string, description: string, source: string, breaks: Break): Corruption {
  return {
    id,
    description,
    source,
    apply(history, dialect, random) {
      const draft = new Draft(history, dialect, random)
      return breaks(draft) ? draft.messages : undefined
    },
  }
}
