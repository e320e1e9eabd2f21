/**
 * The commonest steps: one key of a message or of a part gets another value, or goes.
 */
import { isObject, type Part, type Step, withKey } from '../core/index.ts'

/** Sets a key of the native message; undefined takes it away. */
export function setKey(message: number, key: string, value: unknown): Step {
  return { do: 'rewrite', message, with: keySetter(key, value) }
}

/** Sets a key of the part's native value; undefined takes it away. */
export function setPartKey(part: Part, key: string, value: unknown): Step {
  return { do: 'replace', part, with: keySetter(key, value) }
}

function keySetter(key: string, value: unknown): (now: unknown) => unknown {
  return (now) => (isObject(now) ? withKey(now, key, value) : now)
}
