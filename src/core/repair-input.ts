/** What lint and repair are given: a list of messages, or a request body that holds one. */
import { SutureError } from './error.ts'
import { isObject } from './json.ts'
import { given } from './options.ts'

/** The model that the caller named, else the one in the body. */
export function modelOf(input: unknown, model: string | undefined): string | undefined {
  if (model !== undefined || !isObject(input)) return model
  return typeof input['model'] === 'string' ? input['model'] : undefined
}

export function historyOf(input: unknown, key: string): readonly unknown[] {
  if (Array.isArray(input)) return input
  if (isObject(input) && Array.isArray(input[key])) return input[key]
  // OpenAI's `input` may be plain text: one prompt, and nothing that could be broken.
  if (isObject(input) && typeof input[key] === 'string') return []
  throw new SutureError(
    'not-a-history',
    `Expected a list of messages or a request body with a list under "${key}", but got ${given(input)}. Pass the array itself, or name its dialect.`,
  )
}
