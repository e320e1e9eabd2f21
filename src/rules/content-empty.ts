import {
  type Bound,
  defineRule,
  type Explanation,
  type Fix,
  looseText,
  type Part,
  type Report,
  type Transcript,
} from '../core/index.ts'
import { isAside, isEmptyWithout, moveText, needsContent } from './lib/content.ts'

export interface ContentEmpty {
  /** Roles whose empty message is rejected. Default: user and assistant. */
  readonly roles?: readonly string[]
  /** Null and missing content count as empty. */
  readonly absent?: boolean
  /** An empty list is rejected even beside calls, where `""` is not. */
  readonly list?: boolean
  /** `accepted`: a message of empty texts passes. */
  readonly text?: 'accepted'
  /** A thought without a text is an empty part. */
  readonly thought?: boolean
}

const NO_OUTPUT = '(no output)'
const ROLES = ['user', 'assistant']
const ALL = ['system', 'user', 'assistant', 'tool']

type Messages = 'empty' | 'list' | 'part'

export const contentEmpty = defineRule({
  id: 'content-empty',
  phase: 'shape',
  repair: 'safe',
  messages: {
    empty:
      'Message {index} has no content; {rejects} empty messages. {Repair} removes it, or fills it in if other messages depend on it.',
    list: 'The content of message {index} is an empty list; {rejects} that even beside calls. {Repair} writes an empty string.',
    part: 'A part of message {index} is empty; {rejects} empty parts. {Repair} removes it.',
  },
  check(t, constraint: Bound<ContentEmpty>, report: Report<Messages>) {
    for (let i = 0; i < t.history.length; i++)
      if (mayBeBlank(t, i) || constraint.list) checkMessage(t, i, constraint, report)
    for (const part of t.opaque)
      if (part.type === 'empty' && part.list.length > 0) report('part', part, {}, [{ do: 'remove', part }])
    if (constraint.thought) for (const part of t.reasoning) checkThought(part, report)
    if (constraint.rejected)
      for (const part of t.texts)
        if (part.index >= 0 && part.body === '') report('part', part, {}, [{ do: 'remove', part }])
  },
})

function checkMessage(t: Transcript, i: number, constraint: Bound<ContentEmpty>, report: Report<Messages>): void {
  const key = t.contentKey
  const content = t.contents[i]
  const isList = Array.isArray(content) && content.length === 0
  if (!isBlank(t, i)) {
    if (constraint.list && isList && !isResultMessage(t, i))
      report('list', [i], {}, [{ do: 'set', message: i, key, value: '' }])
    return
  }
  if (t.starts[i]! < t.starts[i + 1]! && constraint.text === 'accepted') return
  if ((content === null || content === undefined) && !constraint.absent && !constraint.rejected) return
  if (!needsContent(t, i, constraint.rejected ? ALL : (constraint.roles ?? ROLES))) return
  // A result cannot be left out: it says that there was no output.
  const value = t.role(i) === 'tool' ? NO_OUTPUT : []
  report('empty', [i], {}, writeTexts(t, i) ?? moveText(t, i) ?? [{ do: 'set', message: i, key, value }])
}

/** Texts under a wrong key of their parts go under the right one; undefined if there are none. */
function writeTexts(t: Transcript, i: number): Fix | undefined {
  const texts = t.partsOf(i).filter(({ kind, body }) => kind === 'text' && body == null)
  const found = texts.map((part) => ({ part, text: looseText(part.value) })).filter(({ text }) => text.trim() !== '')
  return found.length === 0 ? undefined : found.map(({ part, text }) => ({ do: 'write', part, change: { text } }))
}

/** False for nearly every message: its first part has content. */
function mayBeBlank({ parts, starts }: Transcript, i: number): boolean {
  if (starts[i] === starts[i + 1]) return true
  const { kind, body, signature } = parts[starts[i]!]!
  if (kind === 'text') return (body === '' || body == null) && signature == null
  return kind === 'result' || kind === 'reasoning'
}

/** No part of the message has content, and neither has anything beside the parts. */
function isBlank(t: Transcript, i: number): boolean {
  for (let k = t.starts[i]!; k < t.starts[i + 1]!; k++) {
    const part = t.parts[k]!
    if (isAside(part, t)) continue
    if (part.kind === 'result' && part.list.length === 0) return isEmptyResult(part, t)
    // An empty text may be there for the signature that it carries.
    if (part.kind !== 'text' || part.signature != null) return false
    if (part.body !== '' && part.body != null) return false
  }
  const content = t.contents[i]
  if (content != null && typeof content !== 'string' && !Array.isArray(content)) return false
  return isEmptyWithout(t, i)
}

function isEmptyResult(part: Part, t: Transcript): boolean {
  if (typeof part.body === 'string') return part.body === ''
  const { text, media } = t.dialect.content(part)
  return text === '' && media.length === 0
}

function isResultMessage(t: Transcript, i: number): boolean {
  const first = t.parts[t.starts[i]!]
  return first?.message === i && first.kind === 'result' && first.list.length === 0
}

/** What a thought is there for is its signature: that stays. */
function checkThought(part: Part, report: Report<Messages>): void {
  if (part.body !== undefined) return
  const isSigned = typeof part.signature === 'string' && part.signature !== ''
  report('part', part, {}, [isSigned ? { do: 'write', part, change: { text: '' } } : { do: 'remove', part }])
}

export const explanation: Explanation = {
  summary: 'A message has content.',
  why: 'A turn that the model ended without output, or that a filter emptied, is rejected.',
  repair: 'Repair removes the message and joins its neighbors where needed.',
}
