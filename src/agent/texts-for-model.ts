/**
 * What is said to the model by the turn itself: in results of calls that were not run, and in notes that are no part of the conversation.
 */

/** With the last request. */
export const ANSWER_NOW =
  'This is the last step: no tools can be called any more. Answer now with what you have, and say what is left undone.'

/** After an answer that broke off. */
export const GO_ON =
  'The connection broke off in the middle of your answer. Go on from where it ends, without repeating it.'

/** A call that may not be run at all. */
export function unreadable(name: string | undefined, why: string): string {
  return `Your call of ${name ?? 'a tool'} could not be read (${why}), and nothing was run. Make it again with arguments that are a JSON object.`
}

/** The same call again and again. */
export function repeated(name: string, count: number): string {
  return `${name} was not run: this same call was made ${count} times in a row, and the result would be the same. Try something else, or answer with what you have.`
}

/** A person said no. */
export function denied(approval: false | { readonly deny: string }): string {
  return `The user did not allow this call, and it was not run.${approval ? ` ${approval.deny}` : ''}`
}
