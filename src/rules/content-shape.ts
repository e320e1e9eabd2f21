import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  type JsonObject,
  own,
  type Part,
  ROLE,
  type Role,
  type Step,
  type Walk,
} from '../core/index.ts'
import { toText } from './arguments.ts'
import { contentKey, textBlock } from './content.ts'
import { isBareId } from './items.ts'
import { isUnread, noteOdd, oddKeys, reportOdd } from './odd-keys.ts'
import { setKey, setPartKey } from './set-key.ts'

export const explanation: Explanation = {
  says: 'A message is an object, and its content a text or a list of blocks.',
  why: 'Anything else does not match the schema, and the whole request is refused.',
  refusals: [
    /\.content'?: expected one of a string or array of objects, but got an? (?:object|number|boolean|integer)/i,
    /messages\.\d+: Input does not match the expected shape/i,
    /contains an invalid part type/i,
    /Invalid type for '?(?:messages|input)\[\w+\]\.(?:content\[\w+\]\.text|output)/i,
    /Missing required parameter: '?messages\[\w+\]\.content\[\w+\]\.type/i,
  ],
}

/** Law: `objects` — native part types that hold an object under their own name · `types` — native part types that this provider is known to refuse (default none) · `typed` — true: a part without a type is refused · `chunks` — native types of results that hold a list of something else than blocks · `list` — true: content is a list, never a text · `item` — true: so is a message with neither role nor type · `always` — true: a field under another name is refused as such, whatever the provider makes of the pairs. */
export const contentShape = defineRule({
  id: 'content-shape',
  odd: true,
  repair: 'lossy',
  quiet: ({ law, refused }) => {
    if (refused) return undefined
    return law['list'] === true ? { text: (_text, whole) => !whole, bare: (content) => content !== '' } : {}
  },
  messages: {
    message: 'This is no message.',
    content: 'The content is neither a text nor a list.',
    block: 'This is no block of content.',
    entry: 'This is no call.',
    type: 'This provider takes no part of type {type}.',
    untyped: 'This part does not say its type.',
    text: 'The text of this part is none.',
    ...oddKeys,
    caller: 'Only the assistant calls tools.',
  },
  checks: {
    message(view, bound, walk) {
      if (!isObject(view.message) || (bound.law['item'] === true && isNoItem(view.message))) {
        walk.report(bound, 'message', [view.index], {}, [asMessage(view.index, view.message, walk)])
        return
      }
      if (walk.dialect.items) noteOdd(view.index, walk)
      const key = contentKey(walk)
      const content = own(view.message, key)
      if (content === '' && bound.law['list'] === true)
        walk.report(bound, 'content', [view.index, key], {}, [setKey(view.index, key, [])])
      if (typeof content === 'string' || content === undefined || content === null || Array.isArray(content)) return
      // An item that is no message has no content that anybody reads.
      if (walk.dialect.items && view.parts.some((part) => part.list.length === 0 && part.value === view.message)) return
      // A dialect that reads a single block for a list of one knows better.
      if (isObject(content) && view.parts.some((part) => part.list[0] === key)) return
      walk.report(bound, 'content', [view.index, key], {}, [
        setKey(
          view.index,
          key,
          asContent(isObject(content) ? ofObject(content, view.role) : String(content), bound, walk),
        ),
      ])
    },
    opaque(part, bound, walk) {
      if (part.index < 0 && part.list.length > 0 && part.list[0] !== contentKey(walk)) {
        walk.report(bound, isUnread(part, walk) ? 'unread' : 'entry', part, {}, [asList(part)])
      } else if (isObject(part.value) && bound.law['typed'] === true && typeof own(part.value, 'type') !== 'string') {
        if (walk.dialect.items && part.list.length === 0 && isBareId(part.value)) return
        walk.report(bound, 'untyped', part, {}, [typed(part, walk)])
      } else if (isObject(part.value) && isHollow(part, bound)) {
        walk.report(bound, 'block', part, {}, [{ do: 'remove', part }])
      } else if (isObject(part.value)) refuseType(part, bound, walk)
      else if (part.index >= 0) walk.report(bound, entryId(part, walk), part, {}, [asBlock(part, walk)])
    },
    text(part, bound, walk) {
      if (bound.law['list'] === true && part.index < 0 && typeof part.value === 'string') {
        const blocks = part.value.trim() === '' ? [] : [textBlock(walk, part.value)]
        walk.report(bound, 'content', part, {}, [setKey(part.message, contentKey(walk), blocks)])
        return
      }
      if (bound.law['typed'] !== true || typeof part.body === 'string' || part.index < 0) return
      const text = part.body == null ? '' : String(part.body)
      const step: Step = text === '' ? { do: 'remove', part } : { do: 'write', part, change: { text } }
      walk.report(bound, 'text', part, {}, [step])
    },
    call(part, bound, walk) {
      if (part.type === 'odd') noteOdd(part.message, walk)
      if (walk.speaker === ROLE.assistant || part.server || part.index < 0) return
      walk.report(bound, 'caller', part, {}, [
        { do: 'assign', part },
        { do: 'settle', call: walk.pairing.count - 1 },
      ])
    },
    result(part, bound, walk) {
      if (part.type === 'odd') noteOdd(part.message, walk)
      if (part.list.length === 0 && isSaid(own(part.value, 'tool_calls')))
        walk.report(bound, 'caller', part, {}, [setPartKey(part, 'tool_calls', undefined)])
      const { body } = part
      // Results that are messages of their own keep blocks as messages do.
      if (part.list.length > 0 || bound.law['typed'] !== true || !Array.isArray(body) || body.every(isTyped)) return
      if ((bound.law['chunks'] as readonly string[] | undefined)?.includes(part.type)) return
      const kept = body.filter((block) => block != null).map((block) => wellTyped(block, walk))
      walk.report(bound, 'block', part, {}, [{ do: 'write', part, change: { result: kept.length > 0 ? kept : '' } }])
    },
    media: refuseType,
    end: reportOdd,
  },
})

/** An object that nobody says, that is of no kind and that holds nothing. */
function isNoItem(message: JsonObject): boolean {
  return ['role', 'type', 'content'].every((key) => message[key] === undefined) && !isBareId(message)
}

/** What is no call in a list that the provider does not read is none of its faults. */
function entryId(part: Part, walk: Walk): string {
  if (part.list[0] === contentKey(walk)) return 'block'
  return isUnread(part, walk) ? 'unread' : 'entry'
}

/** It should hold an object and holds something else. */
function isHollow({ type, value }: Part, { law }: Bound): boolean {
  const keys = law['objects'] as readonly string[] | undefined
  return keys?.includes(type) === true && !isObject(own(value, type))
}

function isTyped(block: unknown): boolean {
  const type = own(block, 'type')
  return typeof type === 'string' && (type !== 'text' || typeof own(block, 'text') === 'string')
}

/** The block as it should be; what is none is kept as the text of what it was. */
function wellTyped(block: unknown, walk: Walk): unknown {
  if (isTyped(block)) return block
  const text = own(block, 'text')
  const isText = own(block, 'type') === 'text' || (own(block, 'type') === undefined && typeof text === 'string')
  const said = isText ? text : block
  return textBlock(walk, said == null ? '' : typeof said === 'object' ? (toText(said) ?? '') : String(said))
}

function refuseType(part: Part, bound: Bound, walk: Walk): void {
  const types = bound.law['types'] as readonly string[] | undefined
  if (part.index < 0 || !types?.includes(part.type)) return
  const text = `[${part.type} left out: not accepted here]`
  walk.report(bound, 'type', part, { type: part.type }, [{ do: 'replace', part, with: () => textBlock(walk, text) }])
}

function isSaid(calls: unknown): boolean {
  return calls !== undefined && calls !== null && !(Array.isArray(calls) && calls.length === 0)
}

/** What stands in the place of a list of calls: a call of its own, or nothing that could be one. */
function asList({ message, list, value }: Part): Step {
  return setKey(message, list[0]!, isObject(value) && Object.keys(value).length > 0 ? [value] : undefined)
}

/** A part that is text but for its type gets it; anything else is kept as the text of what it was. */
function typed(part: Part, walk: Walk): Step {
  const text = own(part.value, 'text')
  return {
    do: 'replace',
    part,
    with: (value) => textBlock(walk, typeof text === 'string' ? text : (toText(value) ?? '')),
  }
}

function asContent(content: unknown, bound: Bound, walk: Walk): unknown {
  return bound.law['list'] === true && typeof content === 'string' ? [textBlock(walk, content)] : content
}

/** A block on its own becomes a list of one; anything else is kept as the text of what it was. */
function ofObject(content: JsonObject, role: Role): unknown {
  if (typeof content['type'] === 'string') return [content]
  if (typeof content['text'] === 'string') return content['text']
  // An empty object is a tool's answer, and nothing that anybody else has said.
  return Object.keys(content).length === 0 && role !== 'tool' ? '' : toText(content)
}

/** What a text says is kept; null and the like say nothing, and a list of calls has no place for words. */
function asBlock(part: Part, walk: Walk): Step {
  const said = typeof part.value === 'string' && part.value.trim() !== '' && part.list[0] === contentKey(walk)
  if (!said) return { do: 'remove', part }
  return { do: 'replace', part, with: (value) => textBlock(walk, String(value)) }
}

function asMessage(index: number, value: unknown, walk: Walk): Step {
  // An object comes here only where it says nothing.
  const text = typeof value === 'string' ? value : value == null || isObject(value) ? '' : (toText(value) ?? '')
  const said = text.trim() === '' ? undefined : walk.dialect.say('user', text)
  return { do: 'rewrite', message: index, with: () => said }
}
