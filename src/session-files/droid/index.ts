/**
 * Droid (Factory): JSONL with a `session_start` record and messages in Anthropic's shape, linked by `parentId`.
 */

import { isObject, own, wordOf } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { slashed, textIn } from '../json-values.ts'
import { readLines } from '../lines.ts'
import { places } from '../places.ts'
import { unknownTypes } from '../shared/unknown.ts'
import type { FileFault, FileInput, FileRecord, SessionFile, SessionFormat } from '../types.ts'

const KNOWN = new Set(['session_start', 'message', 'todo_state', 'session_end', 'compaction_state'])

function typeOf(value: unknown): { type: string; known: boolean } {
  const type = textIn(value, 'type') ?? 'no record'
  return { type, known: KNOWN.has(type) }
}

/** The messages from the last one up to the root. Without links it is every message. */
function chainOf(messages: readonly FileRecord[]): ReadonlySet<number> {
  if (!messages.some(({ value }) => textIn(value, 'parentId') !== undefined))
    return new Set(messages.map(({ index }) => index))
  const byId = new Map(messages.map((record) => [own(record.value, 'id'), record]))
  const chain = new Set<number>()
  let at = messages.at(-1)
  while (at && !chain.has(at.index)) {
    chain.add(at.index)
    at = byId.get(own(at.value, 'parentId'))
  }
  return chain
}

function read(input: FileInput): SessionFile {
  const { records, salvage } = readLines(input, typeOf)
  const messages = records.filter(({ type, value }) => type === 'message' && isObject(own(value, 'message')))
  const chain = chainOf(messages)
  const builder = new ConversationBuilder()
  for (const { index, value } of messages) {
    const message = own(value, 'message')
    if (chain.has(index)) builder.add([{ role: own(message, 'role'), content: own(message, 'content') }], [index])
    else builder.exclude(index, 'other-branch')
  }
  const start = records.find(({ type }) => type === 'session_start')?.value
  return {
    format: 'droid',
    version: own(start, 'version') === undefined ? undefined : wordOf(own(start, 'version')),
    sessionId: textIn(start, 'id'),
    cwd: textIn(start, 'cwd'),
    input,
    records,
    salvage,
    conversations: [
      builder.done({ id: 'main', title: textIn(start, 'title'), dialect: 'anthropic-messages', provider: 'anthropic' }),
    ],
    unknown: unknownTypes(records),
  }
}

function check(file: SessionFile): readonly FileFault[] {
  const messages = file.records.filter(({ type }) => type === 'message')
  const ids = new Set(messages.map(({ value }) => own(value, 'id')))
  return messages.flatMap(({ value, index, line }) => {
    const parent = textIn(value, 'parentId')
    if (parent === undefined || ids.has(parent)) return []
    return [
      {
        rule: 'dangling-parent',
        severity: 'warning' as const,
        record: index,
        line,
        message: `The parent ${parent} of this message is not in the file: messages before it may be missing from the next request.`,
      },
    ]
  })
}

export const droid: SessionFormat = {
  id: 'droid',
  title: 'Droid (Factory)',
  writes: 'no',
  storage: 'jsonl',
  locate: places.droid,
  recognize(input, head) {
    if (own(head[0], 'type') === 'session_start') return 1
    return /\.factory\/sessions\/.{0,200}\.jsonl$/.test(slashed(input.path)) ? 0.8 : 0
  },
  read,
  write: () => [],
  check,
}
