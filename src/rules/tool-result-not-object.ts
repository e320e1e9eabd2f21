import { type Bound, defineRule, type Explanation, type Fix, isObject, own, type Part, withKey } from '../core/index.ts'

export interface ToolResultNotObject {
  /** The content is a list, and this key of its blocks holds an object. */
  readonly key?: string
}

export const toolResultNotObject = defineRule({
  id: 'tool-result-not-object',
  phase: 'shape',
  about: () => ({ parts: ['results'] }),
  repair: 'safe',
  messages: {
    object: 'The result for call {call} in message {index} is not an object; {rejects} it. {Repair} puts it into one.',
    none: 'The result for call {call} in message {index} has no content; {rejects} it. {Repair} writes an empty object.',
  },
  check(t, { severity, rejected, key }: Bound<ToolResultNotObject>, report) {
    for (const part of t.results) {
      if (key !== undefined) {
        const fix = wrapBlocks(part, key)
        if (fix) report('object', part, { call: part.id ?? '(no id)' }, fix)
        continue
      }
      if (isObject(part.body)) continue
      const isNone = part.body === undefined || part.body === null
      const fix = [{ do: 'write', part, change: { result: { result: part.body ?? null } } } as const]
      // No rejection of a result without any content was seen.
      const level = isNone && !rejected ? 'warning' : severity
      report(isNone ? 'none' : 'object', part, { call: part.id ?? part.name ?? '(no id)' }, fix, { severity: level })
    }
  },
})

function wrapBlocks(part: Part, key: string): Fix | undefined {
  const { body } = part
  if (!Array.isArray(body)) return undefined
  const isWrong = (block: unknown) => own(block, key) != null && !isObject(own(block, key))
  if (!body.some(isWrong)) return undefined
  const result = body.map((block) => (isWrong(block) ? withKey(block, key, { result: own(block, key) }) : block))
  return [{ do: 'write', part, change: { result } }]
}

export const explanation: Explanation = {
  summary: 'The content of a result is an object.',
  why: 'A dialect that requires an object rejects a text or a list.',
  repair: 'Repair wraps it as `{ "result": … }`.',
}
