/** Thought signatures: a step is a run of assistant messages, and its first call is the one that is checked. */
import type { Part, Step, Transcript } from '../../core/index.ts'

export interface ThoughtSignature {
  /** By native type of call the key of its signature. */
  readonly keys?: Readonly<Record<string, string>>
  /** The value in place of a lost signature. */
  readonly sentinel?: string
  /** Only calls after the last prompt are checked. */
  readonly loop?: boolean
}

export interface UnsignedCall {
  readonly call: Part
  /** A later call of the same message has a signature: the calls have changed places. */
  readonly moved: boolean
}

/** First calls without a signature, on themselves or on a part before them in their step. */
export function unsignedCalls(t: Transcript, loop: boolean): readonly UnsignedCall[] {
  const found: UnsignedCall[] = []
  let settled = false
  for (let i = loop ? lastPrompt(t) + 1 : 0; i < t.history.length; i++) {
    if (!t.isAssistant(i)) {
      settled = false
      continue
    }
    for (let k = t.starts[i]!; k < t.starts[i + 1]! && !settled; k++) {
      const part = t.parts[k]!
      settled = isSigned(part) || part.order >= 0
      if (part.order >= 0 && !isSigned(part))
        found.push({ call: part, moved: t.partsOf(i).some((other) => other.kind === 'call' && isSigned(other)) })
    }
  }
  return found
}

/** First calls of messages without signatures directly after a message with a signed call: one step, stored as two. */
export function splitSteps(t: Transcript): readonly Part[] {
  return t.calls.filter(({ message, order }) => {
    if (message === 0 || t.calls[order - 1]?.message !== message - 1) return false
    if (!t.isAssistant(message) || !t.isAssistant(message - 1) || t.partsOf(message).some(isSigned)) return false
    return t.partsOf(message - 1).some((part) => part.kind === 'call' && isSigned(part))
  })
}

function lastPrompt(t: Transcript): number {
  let at = t.history.length - 1
  while (at >= 0 && (!t.isPrompt(at) || t.starts[at] === t.starts[at + 1])) at--
  return at
}

export function isSigned({ signature }: Part): boolean {
  return signature !== undefined && signature !== null && signature !== ''
}

/** The call with the value in place of a lost signature. */
export function withSentinel(call: Part, { keys = {}, sentinel }: ThoughtSignature): readonly Step[] {
  const key = Object.hasOwn(keys, call.type) ? keys[call.type] : undefined
  return key === undefined ? [] : [{ do: 'set-part', part: call, key, value: sentinel }]
}
