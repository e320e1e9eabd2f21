import {
  defineRule,
  type Explanation,
  isObject,
  type MessageView,
  own,
  type Part,
  silent,
  type Walk,
} from '../core/index.ts'
import { contentKey, isFor } from './content.ts'
import { isMended } from './mends.ts'
import { isUnread } from './odd-keys.ts'
import { emptyKeys, isKept } from './otherwise.ts'
import { setKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'A message says something.',
  why: 'A turn the model ended without a word, or one that a filter emptied, is refused.',
  refusals: [
    /(?:all|user) messages must have non-empty content/i,
    /text content blocks must be non-empty/i,
    /contents\.parts must not be empty/i,
    /required oneof field 'data' must have one initialized field/i,
    /it has an empty text parameter/i,
    /content field in the Message object at messages\.\w+ is empty/i,
    /message at position \w+ with role '?\w+'? must not be empty/i,
    /Each message must have at least one content element/i,
    /An empty message was provided/i,
    /content must contain at least one part/i,
    /must include at least one parts field/i,
    /Assistant messages? must have either content or tool_calls(?!, but not both)/i,
  ],
}

const NO_OUTPUT = '(no output)'

/**
 * Law: `roles` — whose empty message is refused (default user, assistant) · `last` — false: an empty assistant message at the very end is accepted ·
 * `list` — true: an empty list is refused even beside calls, where `""` is not · `text` — `accepted`: a message of empty texts passes ·
 * `thought` — true: a thought without a text is an empty part.
 */
export const contentEmpty = defineRule({
  id: 'content-empty',
  odd: true,
  repair: 'safe',
  quiet: silent,
  messages: {
    empty: 'This message says nothing.',
    list: 'The content beside the calls is an empty list.',
    hollow: 'This block says nothing.',
  },
  checks: {
    message(view, bound, walk) {
      const { index, role, parts } = view
      const first = parts.find((part) => !isAside(part, walk))
      const bare = first?.kind === 'result' && isBare(first, walk)
      const hollow = first?.kind === 'text' && first.body == null
      if (first && first.body !== '' && !hollow && !bare && !isEmptyList(first.body)) {
        if (bound.law['list'] !== true || !isEmptyList(own(view.message, contentKey(walk)))) return
        walk.report(bound, 'list', [index], {}, [setKey(view.index, contentKey(walk), '')])
        return
      }
      if (parts.length > 0 && bound.law['text'] === 'accepted') return
      if (!isFor(view, bound, ['user', 'assistant'], walk) || !saysNothing(view, walk)) return
      if (bound.law['last'] === false && role === 'assistant' && index === walk.history.length - 1) return
      // A result cannot be left out: it says that there was nothing to say.
      const said = setKey(index, contentKey(walk), role === 'tool' ? NO_OUTPUT : [])
      const unread = emptyKeys(view, walk).map((key) => setKey(index, key, undefined))
      walk.report(bound, 'empty', [index], {}, [...unread, said])
    },
    text(part, bound, walk) {
      if (!bound.refused || part.index < 0 || part.body !== '' || walk.plan.bounds.has('text-blank')) return
      walk.report(bound, 'hollow', part, {}, [{ do: 'remove', part }])
    },
    reasoning(part, bound, walk) {
      if (bound.law['thought'] !== true || part.body !== undefined) return
      // What it is there for is its signature: that stays.
      const signed = typeof part.sign === 'string' && part.sign !== ''
      walk.report(bound, 'hollow', part, {}, [
        signed ? { do: 'write', part, change: { text: '' } } : { do: 'remove', part },
      ])
    },
    opaque(part, bound, walk) {
      if (part.type === 'empty' && part.list.length > 0)
        walk.report(bound, 'hollow', part, {}, [{ do: 'remove', part }])
    },
  },
})

/** Reasoning that stands beside the content is not said, nor is what is no call in a list that nobody reads. */
function isAside(part: Part, walk: Walk): boolean {
  if (part.kind === 'opaque') return isUnread(part, walk)
  return part.kind === 'reasoning' && part.list.length > 0 && part.list[0] !== contentKey(walk)
}

/** A result that is a message of its own, with nothing in it. */
function isBare(part: Part, walk: Walk): boolean {
  if (part.list.length > 0 || (typeof part.body === 'string' && part.body !== '')) return false
  if (Array.isArray(part.body) && part.body.some((block) => own(block, 'type') !== 'text')) return false
  const { text, media } = walk.dialect.content(part)
  return text === '' && media.length === 0
}

function isEmptyList(content: unknown): boolean {
  return Array.isArray(content) && content.length === 0
}

function saysNothing(view: MessageView, walk: Walk): boolean {
  const { message, parts } = view
  for (const part of parts) {
    if (isAside(part, walk)) continue
    if (part.kind === 'result' && part.list.length === 0) {
      return !isOthers(part.body, walk) && isBare(part, walk)
    }
    // An empty text may be there for the signature that it carries.
    if (part.kind !== 'text' || part.sign != null || (part.body !== '' && part.body != null)) return false
  }
  const key = contentKey(walk)
  const content = own(message, key)
  if (isOthers(content, walk)) return false
  if (content != null && typeof content !== 'string' && !Array.isArray(content)) return false
  // What else a message may say (a refusal, a voice) its dialect knows.
  if (!isObject(message)) return false
  return !isKept(message, [], view, walk)
}

/** Where there is no content at all, another rule says so. */
function isOthers(content: unknown, walk: Walk): boolean {
  if (content === null) return isMended('content-null', walk)
  return content === undefined && isMended('content-missing', walk)
}
