/**
 * Texts that the turn itself sends to the model: in results of calls that were not run, and in notes that are not part
 * of the conversation.
 */

/** Sent with the last request. */
export const ANSWER_NOW =
  'This is the last step: no tools can be called any more. Answer now with what you have, and say what is left undone.'

/** Sent after an incomplete answer. */
export const CONTINUE_ANSWER =
  'The connection broke off in the middle of your answer. Go on from where it ends, without repeating it.'

/** A call that cannot be run. */
export function unreadable(name: string | undefined, why: string): string {
  return `Your call of ${name ?? 'a tool'} could not be read (${why}), and nothing was run. Make it again with arguments that are a JSON object.`
}

/** The same call repeated. */
export function repeated(name: string, count: number): string {
  return `${name} was not run: this same call was made ${count} times in a row, and the result would be the same. Try something else, or answer with what you have.`
}

/** A person denied the call. */
export function denied(approval: false | { readonly deny: string }): string {
  return `The user did not allow this call, and it was not run.${approval ? ` ${approval.deny}` : ''}`
}
