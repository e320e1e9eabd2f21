/**
 * What a provider's rejection is about: which rule, which kind, which ids and sizes it names. Reads text, never the history:
 * where the text alone means two things it asks for the findings of a lint.
 */
export { classify } from './classify.ts'
export { type ErrorExplanation, explain } from './explain.ts'
export type { RejectedResponse, Rejection, RejectionKind } from './types.ts'
