/**
 * What the rules on thought signatures share: a step is a run of model messages, and the first call of it is the one that is checked.
 */
import { type Bound, type MessageView, own, type Part, ROLE, type Step, type Walk, withKey } from '../core/index.ts'
import { shared } from './memory.ts'

const KEYS = { functionCall: 'thoughtSignature', function_call: 'thought_signature' }

export interface Unsigned {
  readonly call: Part
  /** A later call of the same message has a signature: the calls have changed places. */
  readonly moved: boolean
}

interface Steps {
  /** The step now read has its call, or a signature before it. */
  settled: boolean
  lastPrompt: number
  readonly unsigned: Unsigned[]
  next: number
}

/** First calls without a signature, on themselves or on a part before them in their step; gathered once for all rules that ask. */
export function gather({ index, role, parts }: MessageView, _bound: Bound, walk: Walk): void {
  const state = stateOf(walk)
  if (index < state.next) return
  state.next = index + 1
  if (role !== 'assistant') {
    if (parts.length > 0 && !parts.some((part) => part.kind === 'result')) state.lastPrompt = index
    // Calls in another's message will be the assistant's: a step of their own.
    if (!parts.some((part) => part.kind === 'call')) return
    state.settled = false
  } else if (index === 0 || (walk.outlines[index - 1]! & 7) !== ROLE.assistant) state.settled = false
  for (let i = 0; i < parts.length && !state.settled; i++) {
    const part = parts[i]!
    if (isSigned(part)) state.settled = true
    else if (part.kind === 'call' && !part.server) {
      state.settled = true
      state.unsigned.push({ call: part, moved: parts.some((other) => other.kind === 'call' && isSigned(other)) })
    }
  }
}

/** Those in need of a signature. Law: `loop` — only behind the last prompt. */
export function unsigned({ law, refused }: Bound, walk: Walk): readonly Unsigned[] {
  const { unsigned, lastPrompt } = stateOf(walk)
  return law['loop'] === true && !refused ? unsigned.filter(({ call }) => call.message > lastPrompt) : unsigned
}

/** Law: `keys` — by type of call the key of its signature · `sentinel` — what stands for a lost one. */
export function signed(call: Part, bound: Bound): Step {
  const key = own(keysOf(bound), call.type) as string | undefined
  const value = sentinelOf(bound)
  return { do: 'replace', part: call, with: (part) => (key ? withKey(part as object, key, value) : part) }
}

export function keysOf({ law }: Bound): Readonly<Record<string, string>> {
  return (law['keys'] as Readonly<Record<string, string>> | undefined) ?? KEYS
}

export function sentinelOf({ law }: Bound): string {
  return (law['sentinel'] as string | undefined) ?? 'skip_thought_signature_validator'
}

export function isSigned({ sign }: Part): boolean {
  return sign !== undefined && sign !== null && sign !== ''
}

function stateOf(walk: Walk): Steps {
  return shared<Steps>(walk, 'thought-signatures', () => ({ settled: false, lastPrompt: -1, unsigned: [], next: 0 }))
}
