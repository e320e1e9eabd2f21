import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  own,
  type Part,
  type Role,
  type Step,
  valueAt,
  type Walk,
} from '../core/index.ts'
import { isUnread } from './odd-keys.ts'
import { setKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'In thinking mode the assistant turns carry their reasoning.',
  why: 'The provider asks for the reasoning of earlier turns back, and refuses a history without it.',
  refusals: [
    /Missing `?reasoning_content`? field in the assistant message/i,
    /`?(?:reasoning_content|reasoning_text|content\[\]\.thinking)`? in the thinking mode must be passed back/i,
    /reasoning_content is missing in assistant tool call message/i,
  ],
}

/**
 * Law: `key` — where a message keeps its reasoning · `on` — `calls`: only turns with calls need it, `all`: every assistant turn ·
 * `fill` — what is said when the text is lost · `from` — keys of other services that may hold the real text ·
 * `setting` — where in the body thinking is set · `asked` — thinking is off unless the body enables it ·
 * `blocks` — reasoning is a part of its own: nothing honest can stand for a lost one, so thinking is switched off where the request is at hand; `loop`: behind the last prompt ·
 * `types` — native types of calls that it is about (default all).
 */
export const reasoningContentMissing = defineRule({
  id: 'reasoning-content-missing',
  repair: 'lossy',
  messages: { missing: 'This turn has no reasoning.' },
  checks: {
    message({ index, role, message, parts }, bound, walk) {
      if (bound.law['blocks'] === true) return watch(index, role, parts, bound, walk)
      if (role !== 'assistant' || !isObject(message)) return
      const key = (bound.law['key'] ?? 'reasoning_content') as string
      if (own(message, key) != null || !isThinking(bound, walk)) return
      const calls = parts.some((part) => part.kind === 'call' && !part.server && !isUnread(part, walk))
      if (bound.law['on'] !== 'all' && !calls) return
      const text = kept(message, bound)
      walk.report(bound, 'missing', [index], {}, [setKey(index, key, text)])
    },
    end(walk, bound) {
      if (bound.law['blocks'] !== true || !isThinking(bound, walk)) return
      // What is lost cannot be put back, but it can be asked for no longer.
      const off: Step = { do: 'body', key: settingOf(bound)[0]!, value: { type: 'disabled' } }
      const steps = walk.body && settingOf(bound).length === 1 ? [off] : []
      for (const index of watchOf(walk, bound).bare) walk.report(bound, 'missing', [index], {}, steps)
    },
  },
})

interface Watch {
  reasoned: boolean
  bare: number[]
}

const watchOf = (walk: Walk, bound: Bound): Watch => walk.recall(bound, () => ({ reasoned: false, bare: [] }))

/** Turns with calls and no reasoning in their answer, which is one message or a run of items. */
function watch(index: number, role: Role, parts: readonly Part[], bound: Bound, walk: Walk): void {
  const state = watchOf(walk, bound)
  const loop = bound.law['loop'] === true
  if (loop && role === 'user' && !parts.some((part) => part.kind === 'result')) state.bare = []
  if (!walk.dialect.items || role === 'tool' || role === 'user') state.reasoned = false
  // Reasoning that nobody can read, in a block of its own, is not what is asked for.
  if (parts.some((part) => part.kind === 'reasoning' && (walk.dialect.items || part.body !== undefined)))
    state.reasoned = true
  if (role !== 'assistant' || state.reasoned) return
  const types = bound.law['types'] as readonly string[] | undefined
  const isCall = ({ kind, server, type }: Part) => kind === 'call' && !server && (types?.includes(type) ?? true)
  if (parts.some(isCall)) state.bare.push(index)
}

/** The real text where another service's key has it; nothing is made up. */
function kept(message: unknown, { law }: Bound): string {
  for (const key of (law['from'] as readonly string[] | undefined) ?? []) {
    const text = own(message, key)
    if (typeof text === 'string' && text !== '') return text
  }
  return (law['fill'] as string | undefined) ?? ''
}

function settingOf({ law }: Bound): readonly string[] {
  return (law['setting'] as readonly string[] | undefined) ?? ['thinking']
}

function isThinking(bound: Bound, walk: Walk): boolean {
  const { law, refused } = bound
  if (refused) return true
  const type = own(walk.body && valueAt(walk.body, settingOf(bound)), 'type')
  return type !== 'disabled' && (law['asked'] !== true || type === 'enabled')
}
