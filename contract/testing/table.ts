/**
 * A table of small requests to one provider: accepted, or refused with a rule and an exact text.
 * Ids in the tables contain `ID`, so that the error corpus can be compared with placeholders in their place.
 */

import type { JudgeRequest } from '../judge.ts'

export interface Table {
  readonly to: Omit<JudgeRequest, 'body'>
  readonly accepted: Readonly<Record<string, unknown>>
  readonly refused: Readonly<Record<string, Refused>>
}

/** A body, the rule, the text, and the status where it is not 400. */
export type Refused = readonly [body: unknown, rule: string, message: string, status?: number]
