/**
 * Records of a Claude Code session file: their types, which of them form the chain, and which have a message of the
 * conversation.
 */
import { isObject } from '../../core/index.ts'
import { carriesText } from '../content-text.ts'
import { list, object, text, wordSet } from '../json-values.ts'
import type { PartList } from '../shared/plain-parts.ts'
import type { FileRecord } from '../types.ts'

const CHAINED = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])

const UNCHAINED = wordSet(`
  summary file-history-snapshot queue-operation custom-title ai-title agent-name agent-setting mode
  permission-mode tag last-prompt pr-link bridge-session worktree-state content-replacement saved_hook_context
  atis-latch api-request-shape api-request-blob api-request tools-used cost-state`)

/** Subtypes of `system` records. Only boundaries say which records are sent. */
const SYSTEM = wordSet(`
  compact_boundary microcompact_boundary snip_boundary api_error api_metrics agents_killed away_summary
  bridge_status file_snapshot informational local_command memory_saved model_refusal_fallback permission_retry
  scheduled_task_fire stop_hook_summary thinking turn_duration`)

const ENVELOPE = ['uuid', 'sessionId', 'leafUuid', 'messageId'] as const

/** Content blocks have a type, too; only records also have one of the keys of `ENVELOPE`. */
export function isEnvelope(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value['type'] === 'string' &&
    ENVELOPE.some((key) => Object.hasOwn(value, key)) &&
    !('id' in value && 'input' in value)
  )
}

export function classify(value: unknown): { readonly type: string; readonly known: boolean } {
  const type = text(value, 'type') ?? '(none)'
  if (type === 'system') {
    const subtype = text(value, 'subtype') ?? 'system'
    return { type: subtype, known: subtype === 'system' || SYSTEM.has(subtype) || !carriesText(value) }
  }
  return { type, known: CHAINED.has(type) || UNCHAINED.has(type) }
}

/** Keys of every record. Reading a variable key costs several times as much. */
interface Raw {
  readonly type?: unknown
  readonly uuid?: unknown
  readonly parentUuid?: unknown
  readonly isSidechain?: unknown
  readonly agentId?: unknown
  readonly message?: unknown
  readonly isApiErrorMessage?: unknown
  readonly isVisibleInTranscriptOnly?: unknown
  readonly isCompactSummary?: unknown
  readonly isMeta?: unknown
  readonly teamName?: unknown
}

export interface Link {
  readonly record: FileRecord
  readonly uuid: string
  readonly parent: string | null
  /** Records of one agent: the main one, or a sub-agent. The chain tells sub-agents without an id apart. */
  group: string
  /** It carries a message that the next request may contain. */
  readonly content: boolean
  /** A session is resumed from it only if there is no other message. */
  readonly aside: boolean
  /** The record of `parent`, set by the chain. */
  above: Link | undefined
}

export function linkOf(record: FileRecord): Link | undefined {
  const { value } = record
  if (!isObject(value)) return undefined
  const { type, uuid, parentUuid, isMeta, teamName } = value as Raw
  if (typeof type !== 'string' || !CHAINED.has(type) || typeof uuid !== 'string') return undefined
  const parent = typeof parentUuid === 'string' ? parentUuid : null
  const aside = isMeta === true || teamName !== undefined
  return { record, uuid, parent, group: groupOf(value), content: isContent(value), aside, above: undefined }
}

export function linksOf(records: readonly FileRecord[]): readonly Link[] {
  const links: Link[] = []
  for (const record of records) {
    const link = linkOf(record)
    if (link) links.push(link)
  }
  return links
}

function groupOf({ isSidechain, agentId }: Raw): string {
  if (isSidechain !== true) return 'main'
  return typeof agentId === 'string' ? `agent-${agentId}` : 'sidechain'
}

export function isBoundary({ record }: Link): boolean {
  return record.type === 'compact_boundary'
}

/** A message that the next request may contain. */
export function isContent(value: unknown): boolean {
  if (!isObject(value)) return false
  const { type, message, isApiErrorMessage, isVisibleInTranscriptOnly, isCompactSummary } = value as Raw
  if ((type !== 'user' && type !== 'assistant') || !isObject(message) || isApiErrorMessage === true) return false
  // The summary of a compaction has this flag too, and is sent.
  return isVisibleInTranscriptOnly !== true || isCompactSummary === true
}

export const PARTS: PartList = { key: 'content', provider: 'Anthropic', block: (text) => ({ type: 'text', text }) }

export function blocksOf(value: unknown): readonly unknown[] {
  const message = object(value, 'message')
  return list(message, 'content') ?? []
}

export function messageId(value: unknown): string | undefined {
  return text(value, 'type') === 'assistant' ? text(object(value, 'message'), 'id') : undefined
}

/** The calls of an assistant record. */
export function callsIn(value: unknown): readonly string[] {
  if (text(value, 'type') !== 'assistant') return []
  return blocksOf(value).flatMap((block) => (text(block, 'type') === 'tool_use' ? [text(block, 'id') ?? ''] : []))
}

/** The calls that a user record answers. */
export function resultsIn(value: unknown): readonly string[] {
  if (text(value, 'type') !== 'user') return []
  return blocksOf(value).flatMap((block) =>
    text(block, 'type') === 'tool_result' ? [text(block, 'tool_use_id') ?? ''] : [],
  )
}
