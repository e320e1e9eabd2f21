/**
 * From the records of one agent to the messages of its next request: lines of one answer become one message, results of one batch, too.
 */
import { isObject } from '../../core/index.ts'
import type { Origin } from '../shared/part-changes.ts'
import { object, text } from '../shared/values.ts'
import type { FileRecord } from '../types.ts'
import { blocksOf, callsIn, isContent, messageId, resultsIn } from './records.ts'

export interface Built {
  readonly history: readonly { readonly role: string; readonly content: readonly unknown[] }[]
  readonly sources: readonly (readonly number[])[]
  readonly origins: ReadonlyMap<unknown, Origin>
}

interface Open {
  readonly role: string
  readonly content: unknown[]
  readonly records: number[]
  readonly id: string | undefined
}

export function buildHistory(records: readonly FileRecord[]): Built {
  const origins = new Map<unknown, Origin>()
  const messages: Open[] = []
  for (const { index, value } of records) {
    if (!isContent(value)) continue
    const role = text(object(value, 'message'), 'role') ?? text(value, 'type')!
    const target = messageFor(messages, role, value)
    target.records.push(index)
    partsOf(value).forEach(({ part, slot }) => {
      if (role === 'assistant' && isBlank(part)) return
      // One object in two places, or a plain value, gets an object of its own, so that it can be found again.
      const own =
        isObject(part) && !origins.has(part)
          ? part
          : { ...(isObject(part) ? part : { type: 'text', text: String(part) }) }
      origins.set(own, { record: index, slot })
      target.content.push(own)
    })
  }
  const kept = messages.filter(({ content }) => content.length > 0)
  return {
    history: kept.map(({ role, content }) => ({ role, content })),
    sources: kept.map(({ records: own }) => own),
    origins,
  }
}

/** Claude Code leaves blank texts of an answer out of what it sends. */
function isBlank(part: unknown): boolean {
  return text(part, 'type') === 'text' && (text(part, 'text') ?? '').trim() === ''
}

export function partsOf(value: unknown): readonly { readonly part: unknown; readonly slot: number }[] {
  const content = object(value, 'message')?.['content']
  if (typeof content === 'string') return [{ part: { type: 'text', text: content }, slot: -1 }]
  return blocksOf(value).map((part, slot) => ({ part, slot }))
}

/** The message that this record continues, or a new one. */
function messageFor(messages: Open[], role: string, value: unknown): Open {
  const last = messages.at(-1)
  const id = messageId(value)
  if (role === 'user' && last?.role === 'user') return last
  if (role === 'assistant' && id !== undefined) {
    if (last?.role === 'assistant' && last.id === id) return last
    // Results may be between the lines of one answer.
    const before = messages.at(-2)
    if (before?.id === id && last && onlyResultsOf(last, before)) return before
  }
  const fresh: Open = { role, content: [], records: [], id: role === 'assistant' ? id : undefined }
  messages.push(fresh)
  return fresh
}

function onlyResultsOf(results: Open, answer: Open): boolean {
  const calls = new Set(callsIn({ type: 'assistant', message: { content: answer.content } }))
  const answered = resultsIn({ type: 'user', message: { content: results.content } })
  return answered.length === results.content.length && answered.every((id) => calls.has(id))
}
