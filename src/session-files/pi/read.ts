/**
 * Reads a session of pi, oh-my-pi or OpenClaw: the path from the root to the last entry, from its newest compaction on.
 */

import { isObject, wordOf } from '../../core/index.ts'
import { list, object, text, wordSet } from '../json-values.ts'
import { salvage } from '../salvage/index.ts'
import { linkedPath, reachOf } from '../shared/linked.ts'
import { withDetails } from '../shared/read-details.ts'
import { sessionFile, unknownTypes } from '../shared/session-file.ts'
import type { Conversation, FileInput, FileRecord, SessionFile } from '../types.ts'
import { isContent, toAnthropic, toChat } from './messages.ts'

export const ID = 'pi'
export const KEYS = { id: 'id', parent: 'parentId' }

const TYPES = wordSet(`
  session message model_change thinking_level_change compaction branch_summary custom custom_message label
  session_info`)

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

/** Entries: everything but the head. */
export function entriesOf(records: readonly FileRecord[]): readonly FileRecord[] {
  return records.filter(({ value, type }) => isEnvelope(value) && type !== 'session')
}

export function read(input: FileInput): SessionFile {
  const lines = salvage(input.bytes, classify, { envelope: isEnvelope })
  const { records } = lines
  const head = records.find(({ type }) => type === 'session')?.value
  const version = isObject(head) ? head['version'] : undefined
  const newer = typeof version === 'number' && version > 3 ? [`session version ${version}`] : []
  return sessionFile(ID, input, lines, conversations({ records }), {
    version: version === undefined ? undefined : wordOf(version),
    sessionId: text(head, 'id'),
    cwd: text(head, 'cwd'),
    unknown: [...unknownTypes(records), ...newer],
  })
}

export function conversations({ records }: Pick<SessionFile, 'records'>): readonly Conversation[] {
  const entries = entriesOf(records)
  const path = linkedPath(entries, KEYS)
  const kept = keptEntries(path)
  const last = path.findLast(({ type, value }) => type === 'message/assistant' && object(value, 'message'))
  const message = object(last?.value, 'message')
  const anthropic = (text(message, 'api') ?? 'anthropic-messages').startsWith('anthropic')
  const { history, sources, origins } = anthropic ? toAnthropic(kept) : toChat(kept)
  const conversation: Conversation = {
    id: 'main',
    dialect: anthropic ? 'anthropic-messages' : 'openai-chat',
    provider: anthropic ? 'anthropic' : 'openai',
    model: text(message, 'model'),
    history,
    sources,
    reach: reachOf(entries.filter(isContent), path, kept, KEYS),
    agentClosesOpenCalls: true,
  }
  return [withDetails(conversation, { path, origins })]
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
