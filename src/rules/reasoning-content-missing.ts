import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  isObject,
  own,
  type Part,
  type Transcript,
} from '../core/index.ts'

export interface ReasoningContentMissing {
  /** `calls`: only turns with calls need it. `all`: every assistant turn. */
  readonly on?: 'calls' | 'all'
  /** Keys of other services that may hold the real text. */
  readonly from?: readonly string[]
  /** Thinking is off if the request does not enable it. */
  readonly optIn?: boolean
  /** Reasoning is a part of its own. A lost one cannot be replaced, so the request turns thinking off. */
  readonly blocks?: boolean
  /** Only turns after the last prompt need it. */
  readonly loop?: boolean
  /** Native types of calls that it is about. Default: all. */
  readonly types?: readonly string[]
}

export const reasoningContentMissing = defineRule({
  id: 'reasoning-content-missing',
  phase: 'structure',
  repair: 'lossy',
  messages: {
    missing:
      'Message {index} has no reasoning, which {provider} needs back in thinking mode. {Repair} adds it if it is stored under another key; otherwise it fills the field or turns thinking off.',
  },
  check(t, constraint: Bound<ReasoningContentMissing>, report) {
    if (!isThinking(t, constraint)) return
    if (constraint.blocks) {
      // Lost reasoning cannot be restored, but the request can turn thinking off.
      const fix: Fix = t.request ? [{ do: 'set-request', key: 'thinking', value: { type: 'disabled' } }] : []
      for (const message of turnsWithoutBlocks(t, constraint)) report('missing', [message], {}, fix)
      return
    }
    const key = t.dialect.reasoningKeys?.[0]
    if (key === undefined) return
    for (let i = 0; i < t.history.length; i++) {
      const message = t.history[i]
      if (!t.isAssistant(i) || !isObject(message) || (message[key] !== undefined && message[key] !== null)) continue
      if (constraint.on !== 'all' && !t.partsOf(i).some(({ order }) => order >= 0)) continue
      report('missing', [i], {}, [{ do: 'set', message: i, key, value: realText(message, constraint) }])
    }
  },
})

/** Turns with calls and no reasoning in their answer, which is one message or a run of items. */
function turnsWithoutBlocks(t: Transcript, { loop, types }: ReasoningContentMissing): readonly number[] {
  const isCall = ({ order, type }: Part) => order >= 0 && (types?.includes(type) ?? true)
  let found: number[] = []
  let reasoned = false
  for (let i = 0; i < t.history.length; i++) {
    const parts = t.partsOf(i)
    if (loop && t.isPrompt(i)) found = []
    if (!t.dialect.items || t.role(i) === 'tool' || t.role(i) === 'user') reasoned = false
    // Reasoning without a readable text, in a block of its own, is not what is asked for.
    reasoned ||= parts.some((part) => part.kind === 'reasoning' && (t.dialect.items || part.body !== undefined))
    if (t.isAssistant(i) && !reasoned && parts.some(isCall)) found.push(i)
  }
  return found
}

/** The real text if another service's key has it; nothing is made up. */
function realText(message: unknown, { from = [] }: ReasoningContentMissing): string {
  for (const key of from) {
    const text = own(message, key)
    if (typeof text === 'string' && text !== '') return text
  }
  return ''
}

function isThinking(t: Transcript, { rejected, optIn }: Bound<ReasoningContentMissing>): boolean {
  if (rejected) return true
  const type = own(t.request?.['thinking'], 'type')
  return type !== 'disabled' && (optIn !== true || type === 'enabled')
}

export const explanation: Explanation = {
  summary: 'In thinking mode, assistant messages include their reasoning.',
  why: 'The provider requires the reasoning of earlier turns and rejects a history without it.',
  repair: 'Repair uses the real text if another key has it, else an empty text.',
}
