/**
 * Checks whether messages can be stored: a list of objects that JSON can represent. If one is wrong, none is stored.
 * Inside a message `JSON.stringify` decides, as in every client that sends it.
 */
import { isTooDeep, SutureError } from '../core/index.ts'
import { given } from '../core/options.ts'
import { RawMessage } from './raw-message.ts'

export function checkMessages(messages: unknown, what = 'append'): asserts messages is readonly unknown[] {
  if (!Array.isArray(messages))
    throw new SutureError(
      'bad-option',
      `${what} takes an array of messages, but got ${given(messages)}. Nothing was stored. Pass [{ role: 'user', content: '…' }] in the shape of the session's provider.`,
    )
  for (let i = 0; i < messages.length; i++) checkMessage(messages[i], `Message ${i + 1} of ${messages.length}`)
}

function checkMessage(message: unknown, which: string): void {
  const value = message instanceof RawMessage ? message.message : asJson(message, which)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isBoxed(value))
    throw wrong(`${which} must be an object, but got ${given(value)}.`)
  if (isTooDeep(value)) throw wrong(`${which} is nested too deeply.`)
  const fields = Object.entries(value)
  if (!fields.some(([, field]) => field !== undefined)) throw wrong(`${which} is an object without fields.`)
  for (const [key, field] of fields) {
    if (isCode(field)) throw wrong(`${which} has ${given(field)} as "${key}", which JSON cannot represent.`)
    if (Array.isArray(field) && hasNothing(field))
      throw wrong(`${which} has an element in "${key}" that JSON cannot represent (undefined, a function or a symbol).`)
  }
}

/** Instances of classes are stored as their JSON. */
function asJson(message: unknown, which: string): unknown {
  const { toJSON } = (message ?? {}) as { toJSON?: unknown }
  if (typeof toJSON !== 'function') return message
  try {
    return toJSON.call(message, '')
  } catch (error) {
    throw wrong(`${which} cannot be written as JSON: ${String(error)}.`, error)
  }
}

function isCode(value: unknown): boolean {
  return typeof value === 'function' || typeof value === 'symbol'
}

/** `Array.some` skips holes, which become null in JSON. */
function hasNothing(list: readonly unknown[]): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === undefined || isCode(list[i])) return true
  return false
}

/** `new String('x')` becomes a string in JSON. */
function isBoxed(value: object): boolean {
  return value instanceof String || value instanceof Number || value instanceof Boolean
}

function wrong(problem: string, cause?: unknown): SutureError {
  return new SutureError(
    'bad-option',
    `${problem} Nothing was stored. Store plain data in the shape of the session's provider.`,
    {},
    { cause },
  )
}
