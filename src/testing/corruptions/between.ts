/** Something was written between a call and its result, or the result was written late. */
import type { Draft } from './draft.ts'
import { corruption } from './types.ts'

const REMINDER =
  '<system-reminder>\nThe file list changed since you last looked at it. Do not mention this reminder.\n</system-reminder>'

export const between = [
  corruption(
    'hook-text-between',
    'A hook wrote a user message between the call and its result.',
    'onyx-dot-app/onyx#6458',
    (draft) =>
      insertAfterCalls(draft, draft.text('user', 'PreToolUse hook: formatting was checked, all files are fine.')),
  ),
  corruption(
    'hook-text-before-result',
    'A hook wrote text into the message of results, before them.',
    'Zoo-Code-Org/Zoo-Code#1705',
    (draft) => {
      const note = draft.text('user', 'Hook output that was put before the result of the tool.')
      const part = draft.parts('result').find(({ index }) => index >= 0)
      if (!part) return insertAfterCalls(draft, note)
      const merged = draft.dialect.merge(note, draft.messages[part.message])
      draft.messages[part.message] = {
        ...(merged as object),
        role: (draft.messages[part.message] as { role?: unknown }).role,
      }
      return true
    },
  ),
  corruption(
    'summary-between',
    'A compaction put its summary between the call and its result.',
    'openai/codex#8145',
    (draft) =>
      insertAfterCalls(
        draft,
        draft.text('assistant', 'Summary of the conversation so far: the user asked for a change and it was begun.'),
      ),
  ),
  corruption(
    'reminder-as-assistant-text',
    'A system reminder was stored as text of the assistant, between call and result or at the end of the round.',
    'anthropics/claude-code#20901',
    (draft) => {
      const reminder = draft.text('assistant', REMINDER)
      return draft.random.chance(50)
        ? insertAfterCalls(draft, reminder)
        : draft.changeRound((at) => draft.insert(at, reminder))
    },
  ),
  corruption(
    'reminder-beside-calls',
    'A reminder was appended to the assistant message itself, after its calls.',
    'anomalyco/opencode#14456',
    (draft) =>
      draft.changeRound((at) => {
        const last = draft.lastOfAnswer(at)
        if (draft.dialect.items) draft.insert(last + 1, draft.text('assistant', REMINDER))
        else draft.messages[at] = draft.dialect.merge(draft.messages[at], draft.text('assistant', REMINDER))
      }),
  ),
  corruption(
    'late-result',
    'A result was written after the next prompt, or at the very end.',
    'leookun/cursor-byok#307',
    (draft) =>
      draft.changePart('result', (part) => {
        const { value } = part
        draft.remove(part)
        draft.messages.push(draft.text('user', 'What about the other file that I mentioned before?'))
        draft.messages.push(...draft.dialect.wrapResults([value]))
      }),
  ),
  corruption('early-result', 'A result was written before its call.', 'langchain-ai/langchain#27799', (draft) => {
    const part = draft.pick('result')
    const call = part && draft.parts('call').find(({ id }) => id === part.id)
    if (!part || !call || call.message >= part.message) return false
    const { value } = part
    draft.remove(part)
    draft.insert(call.message, ...draft.dialect.wrapResults([value]))
    return true
  }),
  corruption(
    'results-reversed',
    'The messages between a batch of calls and the next answer were stored in reverse order.',
    'Soju06/codex-lb#1817',
    (draft) =>
      draft.changeRound((at) => {
        const from = draft.lastOfAnswer(at) + 1
        let to = from
        while (to < draft.messages.length && draft.role(to) !== 'assistant') to++
        draft.messages.splice(from, to - from, ...draft.messages.slice(from, to).reverse())
      }),
  ),
  corruption(
    'two-prompts',
    'The user wrote twice in a row.',
    'modelcontextprotocol/quickstart-resources#20',
    (draft) => {
      const prompts = [...draft.messages.keys()].filter((i) => draft.role(i) === 'user')
      if (prompts.length === 0) return false
      draft.insert(draft.random.pick(prompts) + 1, draft.text('user', 'And one more thing that I forgot to say.'))
      return true
    },
  ),
] as const

function insertAfterCalls(draft: Draft, message: unknown): boolean {
  return draft.changeRound((at) => draft.insert(draft.lastOfAnswer(at) + 1, message))
}
