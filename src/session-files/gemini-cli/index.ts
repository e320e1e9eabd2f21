/**
 * Gemini CLI: a log of messages and `$set` updates; earlier versions have one JSON document. A message is updated by
 * writing it again. Results are inside the message with the call; some versions also write them as a message.
 */

import { isObject, own, type Path } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { readElements } from '../elements.ts'
import { fileName, listIn, slashed, textIn } from '../json-values.ts'
import { errorIn, warningIn } from '../shared/faults.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import type { FileFault, FileInput, FileRecord, SessionFile } from '../types.ts'

const PATHS: readonly Path[] = [['messages']]
const TYPES = new Set(['user', 'gemini', 'info', 'warning', 'error'])

function typeOf(value: unknown): { type: string; known: boolean } {
  if (own(value, '$set') !== undefined) return { type: '$set', known: true }
  if (own(value, '$rewindTo') !== undefined) return { type: '$rewindTo', known: true }
  const type = textIn(value, 'type')
  if (type !== undefined) return { type, known: TYPES.has(type) }
  return { type: 'head', known: own(value, 'sessionId') !== undefined }
}

interface Entry {
  readonly value: unknown
  readonly record: number
}

/** Messages as the CLI loads them, and for each message that was written again the record that it replaced. */
function replay(records: readonly FileRecord[]) {
  const superseded: number[] = []
  const lostRewinds: number[] = []
  let order = new Map<unknown, Entry>()
  for (const { value, index, type } of records) {
    const list = own(own(value, '$set'), 'messages')
    if (type === '$rewindTo') {
      const target = own(value, '$rewindTo')
      const keys = [...order.keys()]
      const at = keys.indexOf(target)
      if (at < 0) lostRewinds.push(index)
      for (const key of keys.slice(Math.max(at, 0))) {
        superseded.push(order.get(key)!.record)
        order.delete(key)
      }
    } else if (Array.isArray(list)) {
      for (const { record } of order.values()) superseded.push(record)
      order = new Map(
        list.map((message, i) => [own(message, 'id') ?? `${index} ${i}`, { value: message, record: index }]),
      )
    } else if (TYPES.has(type)) {
      const id = own(value, 'id') ?? `record ${index}`
      const before = order.get(id)
      if (before) superseded.push(before.record)
      order.set(id, { value, record: index })
    }
  }
  return { entries: [...order.values()], superseded, lostRewinds }
}

/** Signatures are not in the file. The CLI sends this value, which Gemini accepts, for the first call of an answer. */
const SENT_SIGNATURE = 'skip_thought_signature_validator'

function signed(parts: readonly unknown[]): readonly unknown[] {
  const first = parts.findIndex((part) => own(part, 'functionCall') !== undefined)
  const call = parts[first]
  if (!isObject(call) || own(call, 'thoughtSignature') !== undefined) return parts
  return parts.with(first, { ...call, thoughtSignature: SENT_SIGNATURE })
}

function contentsOf(message: unknown): readonly unknown[] {
  const content = own(message, 'content')
  const parts = typeof content === 'string' && content !== '' ? [{ text: content }] : listIn(message, 'content')
  if (own(message, 'type') === 'user') return contentIfAny('user', parts)
  const calls = listIn(message, 'toolCalls')
  const callParts = calls.map((call) => ({
    functionCall: { id: own(call, 'id'), name: own(call, 'name'), args: own(call, 'args') ?? {} },
  }))
  const results = calls.flatMap((call) => listIn(call, 'result'))
  return [...contentIfAny('model', signed([...parts, ...callParts])), ...contentIfAny('user', results)]
}

function contentIfAny(role: string, parts: readonly unknown[]): readonly unknown[] {
  return parts.length > 0 ? [{ role, parts }] : []
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, typeOf)
  const { entries, superseded } = replay(records)
  const builder = new ConversationBuilder()
  for (const { value: message, record } of entries) {
    const type = textIn(message, 'type')
    if (type === 'user' || type === 'gemini') builder.add(contentsOf(message), [record])
    else builder.exclude(record, 'not-conversation')
  }
  for (const record of superseded) builder.exclude(record, 'superseded')
  const head = own(value, 'sessionId') === undefined ? records.find(({ type }) => type === 'head')?.value : value
  const model = entries.map((entry) => textIn(entry.value, 'model')).findLast((name) => name !== undefined)
  const conversation = builder.done({ id: 'main', dialect: 'gemini', provider: 'gemini', model })
  const sessionId = textIn(head, 'sessionId')
  return sessionFile('gemini-cli', input, { records, salvage }, [conversation], { sessionId })
}

const LOST_REWIND =
  'This rewind names a message that the file does not have; the CLI then clears the whole conversation. Remove the record, or write the id of the message that was meant.'

const NO_HEAD =
  'No record has a sessionId; the CLI does not list this session. Add the head record of another session of this project with its own id.'

function check(file: SessionFile): readonly FileFault[] {
  const { entries, lostRewinds } = replay(file.records)
  const faults = lostRewinds.map((index) => errorIn({ index }, 'rewind-to-unknown-message', LOST_REWIND))
  const answered = new Set(
    entries
      .flatMap(({ value }) => listIn(value, 'toolCalls'))
      .filter((call) => listIn(call, 'result').length > 0)
      .map((call) => own(call, 'id')),
  )
  for (const { value, record } of entries) {
    for (const part of own(value, 'type') === 'user' ? listIn(value, 'content') : []) {
      const id = textIn(part, 'functionResponse', 'id')
      if (id === undefined || !answered.has(id)) continue
      const message = `The result of ${id} is in the message that calls and again in this one; on resume the CLI sends it twice. Remove this part.`
      // Only a warning: what the provider rejects is another finding.
      faults.push(warningIn({ index: record }, 'doubled-result', message))
    }
  }
  if (file.conversations[0]!.reach.total > 0 && file.sessionId === undefined)
    faults.push(errorIn({}, 'missing-head-record', NO_HEAD))
  return faults
}

export const geminiCli = defineFormat({
  id: 'gemini-cli',
  title: 'Gemini CLI',
  storage: 'jsonl',
  recognize(input, head) {
    const first = head[0]
    if (isObject(first) && own(first, 'sessionId') !== undefined && own(first, 'projectHash') !== undefined) return 1
    return /\.gemini\/tmp\/[^/]+\/chats\/session-/.test(slashed(input.path)) && fileName(input.path).includes('.json')
      ? 0.9
      : 0
  },
  read,
  check,
})
