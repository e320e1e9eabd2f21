/**
 * Classifies a provider's rejection: rule, kind, ids and sizes. Reads error texts, never the history: if a text is
 * ambiguous, it asks for the findings of a lint.
 */
export { classify } from './classify.ts'
export { type ErrorExplanation, explain } from './explain.ts'
export type { RejectedResponse, Rejection, RejectionKind } from './types.ts'
