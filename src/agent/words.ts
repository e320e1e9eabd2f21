/**
 * What is said to the model by the turn itself: in results of calls that were not run, and in notes that are no part of the conversation.
 */
import { isObject } from '../core/index.ts'
import type { Tool } from './types.ts'

/** With the last request. */
export const ANSWER_NOW =
  'This is the last step: no tools can be called any more. Answer now with what you have, and say what is left undone.'

/** After an answer that broke off. */
export const GO_ON =
  'The connection broke off in the middle of your answer. Go on from where it ends, without repeating it.'

/** What a tool returned, as text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '(no output)' : value
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  return JSON.stringify(value) ?? '(no output)'
}

/** The same for the same arguments, in whatever order their keys came. */
export function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join()}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stable(value[key])}`)
    .join()}}`
}

/** A tool failed. */
export function threw(name: string, error: unknown): string {
  return `${name} failed: ${error instanceof Error ? error.message || error.name : String(error)}`
}

/** There is no such tool. */
export function noTool(name: string, tools: readonly Tool[]): string {
  return `There is no tool "${name}". There are: ${tools.map((tool) => tool.name).join(', ') || 'none'}.`
}

/** The arguments do not fit. */
export function wrongArguments(name: string, wrong: readonly string[]): string {
  return `${name} was not run because of its arguments. ${wrong.join('; ')}. Correct them and call it again.`
}

/** The same call again and again. */
export function repeated(name: string, count: number): string {
  return `${name} was not run: this same call was made ${count} times in a row, and the result would be the same. Try something else, or answer with what you have.`
}

/** A person said no. */
export function denied(reason: string | undefined): string {
  return `The user did not allow this call, and it was not run.${reason === undefined ? '' : ` ${reason}`}`
}

/** Why a tool is told to stop. */
export function timedOut(name: string): Error {
  return new DOMException(`${name} took too long.`, 'TimeoutError')
}

/** A call that may not be run at all. */
export function unreadable(name: string | undefined, why: string): string {
  return `Your call of ${name ?? 'a tool'} could not be read (${why}), and nothing was run. Make it again with arguments that are a JSON object.`
}
