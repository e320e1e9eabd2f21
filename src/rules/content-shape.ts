import {
  type Bound,
  defineRule,
  type Explanation,
  isObject,
  looseText,
  own,
  type Part,
  type Report,
  type Transcript,
  tryJsonText,
  wordOf,
} from '../core/index.ts'
import {
  asBlock,
  asCallEntry,
  asCalls,
  asContent,
  asMessage,
  asObjectPart,
  isTyped,
  typedBlock,
} from './lib/block-shape.ts'
import { textBlock } from './lib/text-block.ts'

export interface ContentShape {
  /** A part must say its type. */
  readonly typed?: boolean
  /** Content is a list, never a text. */
  readonly list?: boolean
  /** A message with neither role, type nor content is rejected. */
  readonly item?: boolean
  /** Native part types that hold an object under their own name. */
  readonly objects?: readonly string[]
  /** The only part types that this provider takes. Another one is written as JSON text. */
  readonly only?: readonly string[]
  /** Native types of results that hold a list of something other than blocks. */
  readonly chunks?: readonly string[]
}

type Message = 'message' | 'alias' | 'entry' | 'content' | 'block' | 'type' | 'untyped' | 'text'

export const contentShape = defineRule({
  id: 'content-shape',
  phase: 'shape',
  repair: 'lossy',
  messages: {
    message:
      'Entry {index} of the history is not a message; {rejects} it. {Repair} makes it one and keeps its content.',
    alias:
      'Message {index} has fields under names of another SDK, which {provider} does not read. {Repair} renames them.',
    entry: 'An entry in the list of calls of message {index} is not a call; {rejects} it. {Repair} removes it.',
    content: 'The content of message {index} is neither a string nor a list; {rejects} it. {Repair} writes it as text.',
    block:
      'An entry in the content of message {index} is not a content block; {rejects} it. {Repair} writes it as a block.',
    type: 'Message {index} has a part of type `{type}`, which {rejects}. {Repair} writes it as text.',
    untyped: 'A part of message {index} has no type; {rejects} it. {Repair} adds the type.',
    text: 'A text part of message {index} has no string as its text; {rejects} it. {Repair} writes a string.',
  },
  check(t, constraint: Bound<ContentShape>, report) {
    for (let i = 0; i < t.history.length; i++) {
      const content = t.contents[i]
      const isUsual = Array.isArray(content) || (typeof content === 'string' && content !== '')
      if (!isUsual) checkMessage(t, i, constraint, report)
    }
    if (t.dialect.toWireShape) checkAliases(t, t.dialect.toWireShape, report)
    for (const part of t.opaque) checkOpaque(t, part, constraint, report)
    if (constraint.typed || constraint.list) for (const part of t.texts) checkText(t, part, constraint, report)
    if (constraint.typed) for (const part of t.results) checkResult(t, part, constraint, report)
    for (const part of t.media) rejectType(t, part, constraint, report)
  },
})

/** Reports messages with parts whose fields have names of another SDK. */
function checkAliases(
  t: Transcript,
  wire: (message: unknown, history: readonly unknown[]) => unknown,
  report: Report<Message>,
): void {
  let last = -1
  const check = ({ message }: Part) => {
    if (message === last) return
    last = message
    const value = wire(t.history[message], t.history)
    if (value !== t.history[message]) report('alias', [message], {}, [{ do: 'replace-message', message, value }])
  }
  for (const part of t.calls) if (part.aliased) check(part)
  for (const part of t.results) if (part.aliased) check(part)
  for (const part of t.serverParts) if (part.aliased) check(part)
}

function checkMessage(t: Transcript, i: number, { item, list }: Bound<ContentShape>, report: Report<Message>): void {
  const key = t.contentKey
  const content = t.contents[i]
  if (content === '') {
    if (list) report('content', [i, key], {}, [{ do: 'set', message: i, key, value: [] }])
    return
  }
  const message = t.history[i]
  if (!isObject(message) || (item && content === undefined && isNoItem(t, i))) {
    report('message', [i], {}, [{ do: 'replace-message', message: i, value: asMessage(t, message) }])
    return
  }
  if (content === undefined || content === null) return
  if (t.dialect.isRoleless?.(message) || t.partsOf(i).some((part) => part.list[0] === key)) return
  report('content', [i, key], {}, [{ do: 'set', message: i, key, value: asContent(t, i, content, list === true) }])
}

/** An object without role and type that is not a reference. */
function isNoItem(t: Transcript, i: number): boolean {
  const message = t.history[i]
  if (own(message, 'role') !== undefined || own(message, 'type') !== undefined) return false
  return !t.dialect.isRoleless?.(message)
}

function checkOpaque(t: Transcript, part: Part, constraint: Bound<ContentShape>, report: Report<Message>): void {
  const { index, list, value, message, type } = part
  const inContent = list[0] === t.contentKey
  if (index < 0 && list.length > 0 && !inContent) {
    report('entry', part, {}, [{ do: 'set', message, key: list[0]!, value: asCalls(value) }])
  } else if (!isObject(value)) {
    if (index >= 0)
      report(inContent ? 'block' : 'entry', part, {}, [inContent ? asBlock(t, part, true) : asCallEntry(part)])
  } else if (constraint.typed && typeof own(value, 'type') !== 'string') {
    if (!t.dialect.isRoleless?.(value))
      report('untyped', part, {}, [{ do: 'replace', part, value: typedBlock(t, value) }])
  } else if (constraint.objects?.includes(type) && !isObject(own(value, type)))
    report('block', part, {}, [asObjectPart(t, part)])
  else if (!constraint.typed && type === 'text') report('text', part, {}, [asBlock(t, part, inContent)])
  else rejectType(t, part, constraint, report)
}

function checkText(t: Transcript, part: Part, { list, typed }: Bound<ContentShape>, report: Report<Message>): void {
  const { index, value, body, message } = part
  if (list && index < 0 && typeof value === 'string') {
    const blocks = value.trim() === '' ? [] : [textBlock(t, value)]
    report('content', part, {}, [{ do: 'set', message, key: t.contentKey, value: blocks }])
  } else if (typed && typeof body !== 'string' && index >= 0) {
    const text = looseText(body ?? value)
    report('text', part, {}, [text === '' ? { do: 'remove', part } : { do: 'write', part, change: { text } }])
  }
}

/** A result that is a separate message holds blocks as other messages do. */
function checkResult(t: Transcript, part: Part, { chunks, only }: Bound<ContentShape>, report: Report<Message>): void {
  const { list, body, type } = part
  if (list.length > 0 || !Array.isArray(body) || chunks?.includes(type)) return
  const isTaken = (block: unknown) => isTyped(block) && (!only || only.includes(wordOf(own(block, 'type'))))
  if (body.every(isTaken)) return
  const kept = body
    .filter((block) => block !== null && block !== undefined)
    .map((block) =>
      // A tool may have returned an empty list.
      (isTyped(block) && !isTaken(block)) || Array.isArray(block)
        ? textBlock(t, looseText(block) || (tryJsonText(block) ?? ''))
        : typedBlock(t, block),
    )
  report('block', part, {}, [{ do: 'write', part, change: { result: kept.length > 0 ? kept : '' } }])
}

function rejectType(t: Transcript, part: Part, { only }: Bound<ContentShape>, report: Report<Message>): void {
  const { type, index, value } = part
  if (!only || index < 0 || part.list[0] !== t.contentKey || only.includes(type)) return
  const text = tryJsonText(value)
  report('type', part, { type }, text === undefined ? [] : [{ do: 'replace', part, value: textBlock(t, text) }])
}

export const explanation: Explanation = {
  summary: 'A message is an object, and its content is a text or a list of blocks.',
  why: 'Anything else does not match the schema, and the whole request is rejected.',
  repair:
    'Repair puts an object into a list, gives a part its type, and turns a part that cannot be sent into a line of text.',
}
