/**
 * The legacy pair of `function_call` and a `function` message, as the pair of `tool_calls` and a `tool` message that took its place.
 */
import { isObject, type JsonObject, own, type Part, type Step, type Walk, withKey } from '../core/index.ts'
import { hash } from './hash.ts'

export interface LegacyPair {
  readonly call: Part
  readonly answer: Part | undefined
  readonly steps: readonly Step[]
}

export function legacyPairs(walk: Walk): readonly LegacyPair[] {
  const { pairing } = walk
  const pairs: LegacyPair[] = []
  for (let i = 0; i < pairing.count; i++) {
    if (pairing.isPlain(i)) continue
    const call = pairing.callAt(i)
    if (call.list[0] !== 'function_call' || call.index >= 0) continue
    const id = hash(`function ${call.message}`)
    const answer = pairing.answerAt(i)
    const steps: Step[] = [
      { do: 'write', part: call, change: { id } },
      { do: 'rewrite', message: call.message, with: (message) => asToolCalls(message, id) },
    ]
    if (answer) {
      steps.push({ do: 'write', part: answer, change: { id } })
      steps.push({ do: 'replace', part: answer, with: asTool })
    }
    pairs.push({ call, answer, steps })
  }
  return pairs
}

function asToolCalls(message: unknown, id: string): unknown {
  const call = own(message, 'function_call')
  if (!isObject(message) || !isObject(call)) return message
  const { id: _, ...inner } = call as JsonObject & { id?: unknown }
  const calls = own(message, 'tool_calls')
  const added = { id, type: 'function', function: inner }
  return withKey(withKey(message, 'function_call', undefined), 'tool_calls', [
    ...(Array.isArray(calls) ? calls : []),
    added,
  ])
}

function asTool(value: unknown): unknown {
  return isObject(value) ? withKey(withKey(value, 'role', 'tool'), 'name', undefined) : value
}
