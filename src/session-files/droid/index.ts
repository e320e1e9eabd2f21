/** Droid (Factory): JSONL with a `session_start` record and messages in Anthropic's shape, linked by `parentId`. */

import { isObject, own, wordOf } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { slashed, textIn } from '../json-values.ts'
import { readLines } from '../lines.ts'
import { ancestors } from '../shared/ancestors.ts'
import { warningIn } from '../shared/faults.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import type { FileFault, FileInput, FileRecord, SessionFile } from '../types.ts'

const KNOWN = new Set(['session_start', 'message', 'todo_state', 'session_end', 'compaction_state'])

function typeOf(value: unknown): { type: string; known: boolean } {
  const type = textIn(value, 'type') ?? 'no record'
  return { type, known: KNOWN.has(type) }
}

/** The messages from the last one up to the root. Without links it is every message. */
function chainOf(messages: readonly FileRecord[]): ReadonlySet<FileRecord> {
  if (!messages.some(({ value }) => textIn(value, 'parentId') !== undefined)) return new Set(messages)
  const byId = new Map(messages.map((record) => [own(record.value, 'id'), record]))
  return ancestors(messages.at(-1), ({ value }) => byId.get(own(value, 'parentId')))
}

function read(input: FileInput): SessionFile {
  const lines = readLines(input, typeOf)
  const messages = lines.records.filter(({ type, value }) => type === 'message' && isObject(own(value, 'message')))
  const chain = chainOf(messages)
  const builder = new ConversationBuilder()
  for (const record of messages) {
    const message = own(record.value, 'message')
    if (!chain.has(record)) builder.exclude(record.index, 'other-branch')
    else builder.add([{ role: own(message, 'role'), content: own(message, 'content') }], [record.index])
  }
  const start = lines.records.find(({ type }) => type === 'session_start')?.value
  const title = textIn(start, 'title')
  const conversation = builder.done({ id: 'main', title, dialect: 'anthropic-messages', provider: 'anthropic' })
  return sessionFile('droid', input, lines, [conversation], {
    version: own(start, 'version') === undefined ? undefined : wordOf(own(start, 'version')),
    sessionId: textIn(start, 'id'),
    cwd: textIn(start, 'cwd'),
  })
}

function check(file: SessionFile): readonly FileFault[] {
  const messages = file.records.filter(({ type }) => type === 'message')
  const ids = new Set(messages.map(({ value }) => own(value, 'id')))
  return messages.flatMap((record) => {
    const parent = textIn(record.value, 'parentId')
    if (parent === undefined || ids.has(parent)) return []
    const message = `The parent ${parent} of this message is not in the file: messages before it may be missing from the next request.`
    return [warningIn(record, 'dangling-parent', message)]
  })
}

export const droid = defineFormat({
  id: 'droid',
  title: 'Droid (Factory)',
  storage: 'jsonl',
  recognize(input, head) {
    if (own(head[0], 'type') === 'session_start') return 1
    return /\.factory\/sessions\/.{0,200}\.jsonl$/.test(slashed(input.path)) ? 0.8 : 0
  },
  read,
  check,
})
