/** Histories that were cut: by an abort, a crash, a window or a compaction. */
import type { Part } from '../../core/index.ts'
import type { Draft } from './draft.ts'
import { corruption } from './types.ts'

export const cuts = [
  corruption(
    'abort-during-tools',
    'The history ends with calls whose tools were aborted, or goes on with the next prompt.',
    'anthropics/claude-code#5989',
    (draft) =>
      draft.changeRound((at) => {
        draft.messages.splice(draft.lastOfAnswer(at) + 1)
        if (draft.random.chance(60)) draft.messages.push(draft.text('user', 'Stop. Do something else instead, please.'))
      }),
  ),
  corruption(
    'abort-half-batch',
    'Some of the results of one round were never written; later rounds are complete.',
    'google-gemini/gemini-cli#16415',
    (draft) =>
      draft.changePart('result', (part) => {
        draft.remove(part)
        if (draft.random.chance(30)) removeOne(draft, 'result')
      }),
  ),
  corruption(
    'deep-orphan',
    'A message with calls is gone from the middle of the history; its results are still there.',
    'anthropics/claude-code#13460',
    (draft) => draft.changeRound((at) => void draft.messages.splice(at, 1)),
  ),
  corruption(
    'orphan-call-removed',
    'One call of a parallel batch was filtered out; its result was not.',
    'strands-agents/harness-sdk#1435',
    (draft) => removeOne(draft, 'call'),
  ),
  corruption(
    'window-cut',
    'A sliding window cut the head off at any message, also between a call and its result.',
    'langchain-ai/langchain#27799',
    (draft) => {
      if (draft.messages.length < 3) return false
      draft.messages.splice(0, 1 + draft.random.below(draft.messages.length - 2))
      return true
    },
  ),
  corruption(
    'crash-mid-write',
    'The process ended while it wrote: the history stops at any message.',
    'anthropics/claude-code#37',
    (draft) => {
      if (draft.messages.length < 3) return false
      draft.messages.splice(1 + draft.random.below(draft.messages.length - 1))
      return true
    },
  ),
  corruption(
    'answer-lost',
    'An assistant message without calls is gone, so that two prompts meet.',
    'FlowiseAI/Flowise#2006',
    (draft) => {
      const list = [...draft.messages.keys()].filter((i) => i > 0 && isPlainAnswer(draft, i))
      if (list.length === 0) return false
      draft.messages.splice(draft.random.pick(list), 1)
      return true
    },
  ),
] as const

function isPlainAnswer(draft: Draft, message: number): boolean {
  return draft.role(message) === 'assistant' && draft.partsOf(message).every(({ kind }) => kind === 'text')
}

function removeOne(draft: Draft, kind: Part['kind']): boolean {
  return draft.changePart(kind, (part) => draft.remove(part))
}
