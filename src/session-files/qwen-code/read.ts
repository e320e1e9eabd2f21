/**
 * Reads a Qwen Code chat: a chain of records with Gemini messages. Records with the same uuid are fragments of one
 * message.
 */

import { isObject, wordOf } from '../../core/index.ts'
import { list, object, text } from '../json-values.ts'
import { salvage } from '../salvage/index.ts'
import { groupBy } from '../shared/group-by.ts'
import { linkedPath, reachOf } from '../shared/linked.ts'
import type { Origin } from '../shared/part-changes.ts'
import { asBlock, type PartList } from '../shared/plain-parts.ts'
import { withDetails } from '../shared/read-details.ts'
import { sessionFile } from '../shared/session-file.ts'
import type { Conversation, FileInput, FileRecord, SessionFile } from '../types.ts'

export const ID = 'qwen-code'
export const KEYS = { id: 'uuid', parent: 'parentUuid' }

const TYPES = new Set(['user', 'assistant', 'tool_result', 'system'])

export function isEnvelope(value: unknown): boolean {
  return (
    isObject(value) && TYPES.has(wordOf(value['type'])) && typeof value['uuid'] === 'string' && 'parentUuid' in value
  )
}

export function classify(value: unknown): { readonly type: string; readonly known: boolean } {
  const type = text(value, 'type') ?? '(none)'
  return { type: type === 'system' ? (text(value, 'subtype') ?? type) : type, known: TYPES.has(type) }
}

export function read(input: FileInput): SessionFile {
  const lines = salvage(input.bytes, classify, { envelope: isEnvelope })
  const { records } = lines
  const first = records.find(({ value }) => isEnvelope(value))?.value
  return sessionFile(ID, input, lines, conversations({ records }), {
    version: text(records.findLast(({ value }) => text(value, 'version'))?.value, 'version'),
    sessionId: text(first, 'sessionId'),
    cwd: text(first, 'cwd'),
  })
}

function isContent({ value }: FileRecord): boolean {
  return isEnvelope(value) && text(value, 'type') !== 'system' && object(value, 'message') !== undefined
}

export const PARTS: PartList = { key: 'parts', provider: 'Gemini', block: (text) => ({ text }) }

interface Open {
  readonly role: string
  readonly parts: unknown[]
  readonly records: number[]
  readonly uuid: string
}

export function conversations({ records }: Pick<SessionFile, 'records'>): readonly Conversation[] {
  const chained = records.filter(({ value }) => isEnvelope(value))
  const fragments = groupBy(chained, uuidOf)
  // All records of one uuid, at the place of the first.
  const all = linkedPath(chained, KEYS).flatMap((record) => fragments.get(uuidOf(record))!)
  const base = all.findLastIndex(({ type, value }) => type === 'chat_compression' && compressed(value) !== undefined)
  const origins = new Map<unknown, Origin>()
  const messages: Open[] = []
  if (base >= 0) addCompressed(all[base]!, messages, origins)
  for (const record of all.slice(base + 1)) if (isContent(record)) addRecord(record, messages, origins)
  const kept = messages.filter(({ parts }) => parts.length > 0)
  const conversation: Conversation = {
    id: 'main',
    dialect: 'gemini',
    provider: 'gemini',
    model: text(all.findLast(({ value }) => text(value, 'model'))?.value, 'model'),
    history: kept.map(({ role, parts }) => ({ role, parts })),
    sources: kept.map(({ records: own }) => own),
    reach: reachOf(chained.filter(isContent), all, all.slice(base + 1), KEYS),
    agentClosesOpenCalls: true,
  }
  return [withDetails(conversation, { path: all, origins })]
}

function uuidOf({ value }: FileRecord): string {
  return text(value, 'uuid')!
}

function compressed(value: unknown): readonly unknown[] | undefined {
  return list(object(value, 'systemPayload'), 'compressedHistory')
}

function addCompressed({ index, value }: FileRecord, messages: Open[], origins: Map<unknown, Origin>): void {
  let slot = 0
  for (const message of compressed(value) ?? []) {
    const parts = (list(message, 'parts') ?? []).filter(isObject)
    for (const part of parts) origins.set(part, { record: index, slot: slot++ })
    messages.push({ role: text(message, 'role') ?? 'user', parts: [...parts], records: [index], uuid: '' })
  }
}

/** Results of parallel calls are one message, and so are fragments with one uuid. */
function addRecord({ index, value }: FileRecord, messages: Open[], origins: Map<unknown, Origin>): void {
  const message = object(value, 'message')!
  const role = text(message, 'role') ?? 'user'
  const uuid = text(value, 'uuid')!
  const last = messages.at(-1)
  const result = text(value, 'type') === 'tool_result'
  const joins =
    last &&
    last.role === role &&
    (last.uuid === uuid || (result && last.parts.every((part) => isObject(part) && 'functionResponse' in part)))
  const target = joins ? last : { role, parts: [], records: [], uuid }
  if (!joins) messages.push(target)
  target.records.push(index)
  ;(list(message, 'parts') ?? []).forEach((part, slot) => {
    const block = asBlock(part, PARTS)
    if (!block) return
    const own = origins.has(block) ? { ...block } : block
    origins.set(own, { record: index, slot })
    target.parts.push(own)
  })
}
