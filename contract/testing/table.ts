/**
 * A table of small requests to one provider: accepted, or rejected with a rule and an exact text. Ids in the tables
 * contain `ID`, so that the error corpus can be compared with placeholders.
 */

import type { JudgeRequest } from '../judge.ts'

export interface Table {
  readonly to: Omit<JudgeRequest, 'body'>
  readonly accepted: Readonly<Record<string, unknown>>
  readonly rejected: Readonly<Record<string, Rejected>>
}

/** A body, the rule, the text, and the status if it is not 400. */
export type Rejected = readonly [body: unknown, rule: string, message: string, status?: number]
