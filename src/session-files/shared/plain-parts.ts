/**
 * Parts of a message that are not objects, such as a string in a list of blocks. Agents show them as text; providers
 * reject them.
 */
import { isObject, type JsonObject, jsonText, own, withKey, wordOf } from '../../core/index.ts'
import type { FileFault, FileRecord, SessionFile } from '../types.ts'
import { errorIn, replaced } from './faults.ts'

/** How a format stores the parts of a message. */
export interface PartList {
  /** The key of the list in `message`. */
  readonly key: string
  /** Who rejects a bare string. */
  readonly provider: string
  block(text: string): JsonObject
}

/** The part as a block; undefined if there is nothing in it. */
export function asBlock(part: unknown, { block }: Pick<PartList, 'block'>): JsonObject | undefined {
  if (isObject(part)) return part
  if (part === null || part === undefined) return undefined
  return block(typeof part === 'string' ? part : (jsonText(part) ?? wordOf(part)))
}

/** One fault for each record of a conversation that has such parts. */
export function plainPartFaults(file: SessionFile, parts: PartList): readonly FileFault[] {
  const found = file.records.filter(({ value }) => listOf(value, parts)?.some((part) => !isObject(part)))
  if (found.length === 0) return []
  const sent = new Set(file.conversations.flatMap(({ sources }) => sources.flat()))
  return found.filter(({ index }) => sent.has(index)).map((record) => faultOf(record, parts))
}

function listOf(value: unknown, { key }: PartList): readonly unknown[] | undefined {
  const list = own(own(value, 'message'), key)
  return Array.isArray(list) ? list : undefined
}

function faultOf(record: FileRecord, parts: PartList): FileFault {
  const value = record.value as JsonObject
  const list = listOf(value, parts)!
  const blocks = list.map((part) => asBlock(part, parts)).filter(isObject)
  const next = withKey(value, 'message', withKey(value['message'] as JsonObject, parts.key, blocks))
  const slot = list.findIndex((part) => !isObject(part))
  const repair = list[slot] === null ? 'removes it' : 'makes a text block of it'
  const message = `"${parts.key}" of the message in line ${record.line} has ${kindOf(list[slot])} at index ${slot}; ${parts.provider} accepts only blocks there. The repair ${repair}.`
  const fix = [replaced(record, next, 'part-not-a-block: written as text blocks')]
  return errorIn(record, 'part-not-a-block', message, fix)
}

function kindOf(part: unknown): string {
  if (part === null) return 'null'
  return Array.isArray(part) ? 'a list' : `a ${typeof part}`
}
