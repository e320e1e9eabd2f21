/** Reads a Codex rollout: the newest compaction and the items after it. A rollback removes the newest user turns. */

import { isObject } from '../../core/index.ts'
import { list, numberIn, object, text } from '../json-values.ts'
import { salvage } from '../salvage/index.ts'
import type { Origin } from '../shared/part-changes.ts'
import { withDetails } from '../shared/read-details.ts'
import { sessionFile, unknownTypes } from '../shared/session-file.ts'
import type { Conversation, ExcludedBecause, FileInput, FileRecord, SessionFile } from '../types.ts'
import { classify, isEnvelope } from './records.ts'

export const ID = 'codex'

interface Item {
  readonly item: unknown
  readonly origin: Origin
}

export function read(input: FileInput): SessionFile {
  const lines = salvage(input.bytes, classify, { envelope: isEnvelope })
  const { records } = lines
  const meta = object(records.find(({ type }) => type === 'session_meta')?.value, 'payload')
  return sessionFile(ID, input, lines, conversations(lines), {
    version: text(meta, 'cli_version'),
    sessionId: text(meta, 'id') ?? text(meta, 'session_id'),
    cwd: text(meta, 'cwd'),
    unknown: [...unknownTypes(records), ...unknownMode(meta)],
  })
}

/** An unknown history mode is an error for Codex itself. */
function unknownMode(meta: unknown): readonly string[] {
  const mode = text(meta, 'history_mode')
  return mode === undefined || mode === 'legacy' || mode === 'paginated' ? [] : [`history_mode "${mode}"`]
}

export function conversations({ records }: Pick<SessionFile, 'records'>): readonly Conversation[] {
  const excluded = new Map<number, ExcludedBecause>()
  let items: Item[] = []
  let content = 0
  for (const record of records) {
    const payload = object(record.value, 'payload')
    const kind = text(record.value, 'type')
    if (kind === 'response_item' && payload) {
      content++
      if (isSent(payload)) items.push({ item: payload, origin: { record: record.index, slot: 0 } })
      else excluded.set(record.index, 'not-conversation')
    } else if (kind === 'compacted') {
      for (const { origin } of items) excluded.set(origin.record, 'before-compaction')
      content++
      items = compacted(record, items)
    } else if (kind === 'event_msg' && text(payload, 'type') === 'thread_rolled_back') {
      const kept = rolledBack(items, numberIn(payload, 'num_turns') ?? 0)
      for (const { origin } of items.slice(kept)) excluded.set(origin.record, 'superseded')
      items = items.slice(0, kept)
    }
  }
  const turn = records.findLast(({ type }) => type === 'turn_context')
  const conversation: Conversation = {
    id: 'main',
    dialect: 'openai-responses',
    provider: 'openai-responses',
    model: text(object(turn?.value, 'payload'), 'model'),
    history: items.map(({ item }) => item),
    sources: items.map(({ origin }) => [origin.record]),
    reach: {
      included: content - excluded.size,
      total: content,
      excluded: [...excluded].map(([record, because]) => ({ record, because })),
    },
    agentClosesOpenCalls: true,
  }
  const origins = new Map(items.map(({ item, origin }) => [item, origin]))
  return [withDetails(conversation, { path: records, origins })]
}

/** Codex does not send snapshots and items of the type `other`. */
function isSent(payload: unknown): boolean {
  const type = text(payload, 'type')
  return type !== 'ghost_snapshot' && type !== 'other'
}

function compacted(record: FileRecord, before: readonly Item[]): Item[] {
  const payload = object(record.value, 'payload')
  const replacement = list(payload, 'replacement_history')
  if (replacement)
    return replacement.filter(isObject).map((item, slot) => ({ item, origin: { record: record.index, slot } }))
  // Older versions kept the prompts and put the summary after them.
  const prompts = before.filter(({ item }) => text(item, 'role') === 'user')
  const summary = {
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: text(payload, 'message') ?? '' }],
  }
  return [...prompts, { item: summary, origin: { record: record.index, slot: 0 } }]
}

function rolledBack(items: readonly Item[], turns: number): number {
  let left = turns
  for (let i = items.length - 1; i >= 0 && left > 0; i--) {
    if (isPrompt(items[i]!.item) && --left === 0) return i
  }
  return turns > 0 ? 0 : items.length
}

/** A prompt of the user, not the context that Codex adds in the same role. */
function isPrompt(item: unknown): boolean {
  if (text(item, 'type') !== 'message' || text(item, 'role') !== 'user') return false
  const first = text(list(item, 'content')?.[0], 'text') ?? ''
  return !/^\s*<(?:environment_context|user_instructions|permissions|skills_instructions)/.test(first)
}
