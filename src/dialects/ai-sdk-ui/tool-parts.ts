/** Tool parts of interface messages: `tool-<name>` or `dynamic-tool`, with the state of the call. */
import { isObject, type JsonObject, own, withKey, wordOf } from '../../core/index.ts'
import { word } from '../blocks.ts'

const PREFIX = 'tool-'
const FINISHED: ReadonlySet<unknown> = new Set(['output-available', 'output-error', 'output-denied'])

export function isToolPart(part: JsonObject): boolean {
  const type = part['type']
  return typeof type === 'string' && (type === 'dynamic-tool' || type.startsWith(PREFIX))
}

/** In other states the call is being written, waits for an approval, or never ran. */
export function isFinished(part: JsonObject): boolean {
  return FINISHED.has(part['state'])
}

export function nameOf(part: JsonObject): string | undefined {
  const type = wordOf(part['type'])
  return type.startsWith(PREFIX) ? word(type.slice(PREFIX.length)) : word(part['toolName'])
}

export function renamed(part: JsonObject, name: string): JsonObject {
  return wordOf(part['type']).startsWith(PREFIX)
    ? withKey(part, 'type', PREFIX + name)
    : withKey(part, 'toolName', name)
}

/** The part with this text as its result. Only a given approval stays: the SDK rejects others beside a result. */
export function finished(part: JsonObject, text: string, succeeded: boolean): JsonObject {
  const { output: _output, errorText: _error, approval, preliminary: _preliminary, ...rest } = part
  const approved = isObject(approval) && own(approval, 'approved') === true ? { approval } : {}
  const input = rest['input'] === undefined ? { input: rest['rawInput'] ?? {} } : {}
  const result = succeeded ? { state: 'output-available', output: text } : { state: 'output-error', errorText: text }
  return { ...rest, ...input, ...approved, ...result }
}
