/**
 * Reads a session of pi, oh-my-pi or OpenClaw: the path from the last entry to the root, and what the newest compaction on it keeps.
 */

import { isObject, wordOf } from '../../core/index.ts'
import { salvage } from '../salvage/index.ts'
import { Attached } from '../shared/attached.ts'
import { linkedPath } from '../shared/linked.ts'
import { unknownTypes } from '../shared/session-file.ts'
import { list, object, text } from '../shared/values.ts'
import type { Conversation, ExcludedBecause, FileInput, FileRecord, Reach, SessionFile } from '../types.ts'
import { type Mapped, toAnthropic, toChat } from './messages.ts'

export const ID = 'pi'
export const KEYS = { id: 'id', parent: 'parentId' }

const TYPES = new Set([
  'session',
  'message',
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
])

export function isEnvelope(value: unknown): boolean {
  if (!isObject(value) || typeof value['type'] !== 'string') return false
  if (value['type'] === 'session') return typeof value['id'] === 'string' && 'timestamp' in value
  return typeof value['id'] === 'string' && 'parentId' in value
}

export function classify(value: unknown): { readonly type: string; readonly known: boolean } {
  const type = text(value, 'type') ?? '(none)'
  const role = type === 'message' ? text(object(value, 'message'), 'role') : undefined
  return { type: role === undefined ? type : `message/${role}`, known: TYPES.has(type) }
}

export interface ReadSession {
  readonly path: readonly FileRecord[]
  readonly mapped: Mapped
}

const details = new Attached<Conversation, ReadSession>()

export function detailsOf(conversation: Conversation): ReadSession | undefined {
  return details.get(conversation)
}

/** Entries: everything but the head. */
export function entriesOf(records: readonly FileRecord[]): readonly FileRecord[] {
  return records.filter(({ value, type }) => isEnvelope(value) && type !== 'session')
}

export function read(input: FileInput): SessionFile {
  const { records, salvage: found } = salvage(input.bytes, classify, { envelope: isEnvelope })
  const head = records.find(({ type }) => type === 'session')?.value
  const version = isObject(head) ? head['version'] : undefined
  const newer = typeof version === 'number' && version > 3 ? [`session version ${version}`] : []
  return {
    format: ID,
    version: version === undefined ? undefined : wordOf(version),
    sessionId: text(head, 'id'),
    cwd: text(head, 'cwd'),
    input,
    records,
    salvage: found,
    conversations: conversations({ records }),
    unknown: [...unknownTypes(records), ...newer],
  }
}

export function conversations({ records }: Pick<SessionFile, 'records'>): readonly Conversation[] {
  const entries = entriesOf(records)
  const { path } = linkedPath(entries, KEYS, false, 'pi')
  const kept = keptEntries(path)
  const last = path.findLast(
    ({ type, value }) => type === 'message/assistant' && object(value, 'message') !== undefined,
  )
  const message = object(last?.value, 'message')
  const anthropic = (text(message, 'api') ?? 'anthropic-messages').startsWith('anthropic')
  const mapped = anthropic ? toAnthropic(kept) : toChat(kept)
  const conversation: Conversation = {
    id: 'main',
    dialect: anthropic ? 'anthropic-messages' : 'openai-chat',
    provider: anthropic ? 'anthropic' : 'openai',
    model: text(message, 'model'),
    history: mapped.history,
    sources: mapped.sources,
    reach: reachOf(entries, path, kept),
    agentClosesOpenCalls: true,
  }
  details.set(conversation, { path, mapped })
  return [conversation]
}

/** The entries that the next request is made of, a compaction first. */
function keptEntries(path: readonly FileRecord[]): readonly FileRecord[] {
  const at = path.findLastIndex(({ type }) => type === 'compaction')
  const compaction = path[at]
  if (!compaction) return path
  const after = path.slice(at + 1)
  if (list(compaction.value, 'retainedTail')) return [compaction, ...after]
  const first = text(compaction.value, 'firstKeptEntryId')
  const from = path.findIndex(({ value }) => text(value, 'id') === first)
  return [compaction, ...(from < 0 || from > at ? [] : path.slice(from, at)), ...after]
}

export function isContent({ type, value }: FileRecord): boolean {
  if (!type.startsWith('message/')) return false
  const stop = text(object(value, 'message'), 'stopReason')
  // pi does not send answers that failed.
  return stop !== 'error' && stop !== 'aborted'
}

function reachOf(entries: readonly FileRecord[], path: readonly FileRecord[], kept: readonly FileRecord[]): Reach {
  const on = new Set(path)
  const sent = new Set(kept)
  const root = path[0]
  const dangling = root !== undefined && text(root.value, 'parentId') !== undefined
  const content = entries.filter(isContent)
  const excluded = content.flatMap((record): { record: number; because: ExcludedBecause }[] => {
    if (sent.has(record)) return []
    if (on.has(record)) return [{ record: record.index, because: 'before-compaction' }]
    return [
      { record: record.index, because: dangling && record.index < root.index ? 'dangling-parent' : 'other-branch' },
    ]
  })
  return { included: content.length - excluded.length, total: content.length, excluded }
}
