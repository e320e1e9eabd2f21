import {
  defineAfterRejection,
  type Explanation,
  isObject,
  type JsonObject,
  type Part,
  type Report,
  type Transcript,
  withKey,
} from '../../core/index.ts'

export const cacheControlUnsupported = defineAfterRejection({
  id: 'cache-control-unsupported',
  phase: 'shape',
  repair: 'safe',
  neutral: true,
  messages: { unsupported: 'Message {index} has a cache mark, a field that {rejects}. {Repair} removes the mark.' },
  check(t, _constraint, report) {
    const key = t.dialect.cacheKey
    if (key === undefined) return
    const parts = new Set<unknown>()
    for (const part of t.parts) {
      parts.add(part.value)
      checkPart(part, key, report)
    }
    for (let i = 0; i < t.history.length; i++)
      if (isMarked(t.history[i], key) && !parts.has(t.history[i]))
        report('unsupported', [i], {}, [{ do: 'set', message: i, key, value: undefined }])
    checkRequest(t, key, report)
  },
})

function checkPart(part: Part, key: string, report: Report<'unsupported'>): void {
  if (isMarked(part.value, key)) report('unsupported', part, {}, [{ do: 'set-part', part, key, value: undefined }])
  if (part.kind !== 'result' || !Array.isArray(part.body) || !part.body.some((block) => isMarked(block, key))) return
  report('unsupported', part, {}, [{ do: 'write', part, change: { result: unmarked(part.body, key) } }])
}

/** Instructions and declared tools may carry marks, too. */
function checkRequest(t: Transcript, key: string, report: Report<'unsupported'>): void {
  for (const [name, list] of Object.entries(t.request ?? {}))
    if (name !== t.dialect.key && Array.isArray(list) && list.some((one) => isMarked(one, key)))
      report('unsupported', [], {}, [{ do: 'set-request', key: name, value: unmarked(list, key) }])
}

function unmarked(list: readonly unknown[], key: string): readonly unknown[] {
  return list.map((one) => (isMarked(one, key) ? withKey(one, key, undefined) : one))
}

function isMarked(value: unknown, key: string): value is JsonObject {
  return isObject(value) && value[key] !== undefined
}

export const explanation: Explanation = {
  summary: 'No `cache_control` mark is sent to a provider that does not support it.',
  why: 'A strict schema rejects the mark like any other unknown field.',
  repair: 'Repair removes the marks after a rejection.',
}
