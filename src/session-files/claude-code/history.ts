/**
 * From the records of one agent to the messages of its next request. Lines of one answer become one message; results of
 * parallel calls, too.
 */
import { isObject, type JsonObject } from '../../core/index.ts'
import { object } from '../json-values.ts'
import type { Origin } from '../shared/part-changes.ts'
import { asBlock } from '../shared/plain-parts.ts'
import type { Conversation, FileRecord } from '../types.ts'
import { callsIn, type Link, PARTS, resultsIn } from './records.ts'

interface Message {
  readonly role: string
  readonly content: unknown[]
}

/** The messages so far, each with its records and its id from the API. */
interface Building {
  readonly history: Message[]
  readonly sources: number[][]
  readonly ids: (string | undefined)[]
}

export function buildHistory(path: readonly Link[]): Pick<Building, 'history' | 'sources'> {
  const building: Building = { history: [], sources: [], ids: [] }
  for (const { record, content } of path) if (content) addRecord(building, record)
  return withoutEmpty(building)
}

/** Keys of every message and part. Reading a variable key costs several times as much. */
interface Raw {
  readonly type?: unknown
  readonly message?: unknown
  readonly role?: unknown
  readonly id?: unknown
  readonly content?: unknown
  readonly text?: unknown
}

function addRecord(building: Building, { index, value }: FileRecord): void {
  const { history, sources, ids } = building
  const { type, message } = value as Raw
  const { role: own, id: given, content } = message as Raw
  const role = typeof own === 'string' ? own : (type as string)
  const id = type === 'assistant' && typeof given === 'string' ? given : undefined
  const parts = partsOf(content, role)
  const at = messageFor(building, role, id)
  if (at < 0) {
    history.push({ role, content: parts })
    sources.push([index])
    ids.push(role === 'assistant' ? id : undefined)
  } else {
    for (const part of parts) history[at]!.content.push(part)
    sources[at]!.push(index)
  }
}

/** The parts of a record's message as they are sent, in a new list. */
function partsOf(content: unknown, role: string): unknown[] {
  if (typeof content === 'string') return withoutBlank([textPart(content)], role)
  if (!Array.isArray(content)) return []
  return withoutBlank(content.every(isObject) ? content.slice() : content.map(asPart).filter(isObject), role)
}

/** A plain value is shown as the text that its repair makes of it. */
function asPart(part: unknown): unknown {
  return asBlock(part, PARTS)
}

function withoutBlank(parts: unknown[], role: string): unknown[] {
  return role === 'assistant' && parts.some(isBlank) ? parts.filter((part) => !isBlank(part)) : parts
}

function textPart(text: string): JsonObject {
  return { type: 'text', text }
}

/** Claude Code leaves blank texts of an answer out of what it sends. */
function isBlank(part: unknown): boolean {
  const { type, text } = part as Raw
  return type === 'text' && (typeof text !== 'string' || !/\S/.test(text))
}

/** The place of the message that a record continues, or -1. */
function messageFor({ history, ids }: Building, role: string, id: string | undefined): number {
  const at = history.length - 1
  const last = history[at]
  if (last === undefined) return -1
  if (role === 'user' && last.role === 'user') return at
  if (role !== 'assistant' || id === undefined) return -1
  if (last.role === 'assistant' && ids[at] === id) return at
  // Results may be between the lines of one answer.
  return at > 0 && ids[at - 1] === id && onlyResultsOf(last, history[at - 1]!) ? at - 1 : -1
}

function onlyResultsOf(results: Message, answer: Message): boolean {
  const calls = new Set(callsIn({ type: 'assistant', message: { content: answer.content } }))
  const answered = resultsIn({ type: 'user', message: { content: results.content } })
  return answered.length === results.content.length && answered.every((id) => calls.has(id))
}

function withoutEmpty({ history, sources }: Building): Pick<Building, 'history' | 'sources'> {
  if (history.every(({ content }) => content.length > 0)) return { history, sources }
  const kept = history.flatMap(({ content }, at) => (content.length > 0 ? [at] : []))
  return { history: kept.map((at) => history[at]!), sources: kept.map((at) => sources[at]!) }
}

/** The record of each part of the history. The parts of a message are those of its records, in order. */
export function originsOf({ history, sources }: Conversation, path: readonly Link[]): ReadonlyMap<unknown, Origin> {
  const values = new Map(path.map(({ record }) => [record.index, record.value]))
  const origins = new Map<unknown, Origin>()
  history.forEach((message, at) => {
    const { role, content } = message as Message
    let next = 0
    for (const record of sources[at]!)
      for (const slot of slotsOf(values.get(record), role)) origins.set(content[next++], { record, slot })
  })
  return origins
}

/** Where the parts of a record are in its content; -1: the content is the part. */
function slotsOf(value: unknown, role: string): readonly number[] {
  const content = object(value, 'message')?.['content']
  const sent = (part: unknown) => role !== 'assistant' || !isBlank(part)
  if (!Array.isArray(content)) return typeof content === 'string' && sent(textPart(content)) ? [-1] : []
  return content.flatMap((part, slot) => (part !== null && sent(asPart(part)) ? [slot] : []))
}
