/**
 * Chats exported from Open WebUI: trees of messages by id, with the current leaf. `output` of a message has Responses
 * items.
 */
import { isObject, type JsonObject, own, type Path } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { firstElements, readElements } from '../elements.ts'
import { listIn, objectIn, textIn } from '../json-values.ts'
import { ancestors } from '../shared/ancestors.ts'
import { errorIn } from '../shared/faults.ts'
import { readOnlyFormat, sessionFile } from '../shared/session-file.ts'
import type { Conversation, FileFault, FileInput, FileRecord, SessionFile } from '../types.ts'

const PATHS: readonly Path[] = [[]]

function typeOf(value: unknown): { type: string; known: boolean } {
  return { type: 'chat', known: messagesIn(value) !== undefined }
}

function messagesIn(value: unknown): JsonObject | undefined {
  const messages = own(own(own(value, 'chat'), 'history'), 'messages')
  return isObject(messages) ? messages : undefined
}

/** Ids from the root to the current message. */
function chainOf(value: unknown): readonly string[] {
  const messages = messagesIn(value) ?? {}
  const known = (id: string | undefined) => (id !== undefined && Object.hasOwn(messages, id) ? id : undefined)
  const current = known(textIn(value, 'chat', 'history', 'currentId'))
  return [...ancestors(current, (id) => known(textIn(messages[id], 'parentId')))].reverse()
}

function read(input: FileInput): SessionFile {
  const { records, salvage } = readElements(input, PATHS, typeOf)
  const conversations = records.filter(({ known }) => known).map(conversationOf)
  const unknown = records.some(({ known }) => !known) ? ['record without chat.history.messages'] : []
  return sessionFile('open-webui', input, { records, salvage }, conversations, { unknown })
}

function conversationOf({ value, index }: FileRecord): Conversation {
  const messages = messagesIn(value)!
  const chain = chainOf(value)
  const items = chain.some((id) => Array.isArray(own(messages[id], 'output')))
  const builder = new ConversationBuilder()
  for (const id of chain) {
    const message = messages[id]
    const output = listIn(message, 'output')
    if (items && output.length > 0) builder.add(output, [index])
    else
      builder.add(
        [{ ...(items ? { type: 'message' } : {}), role: own(message, 'role'), content: own(message, 'content') }],
        [index],
      )
  }
  const last = chain.at(-1)
  return builder.done({
    id: textIn(value, 'id') ?? `chat ${index + 1}`,
    title: textIn(value, 'title') ?? textIn(value, 'chat', 'title'),
    dialect: items ? 'openai-responses' : 'openai-chat',
    provider: items ? 'openai-responses' : 'openai',
    model: last === undefined ? undefined : textIn(messages[last], 'model'),
  })
}

function check(file: SessionFile): readonly FileFault[] {
  return file.records.flatMap((record) => {
    const { value, known } = record
    if (!known) return []
    const current = textIn(value, 'chat', 'history', 'currentId')
    const messages = messagesIn(value)!
    const lost = chainOf(value).filter((id) => {
      const parent = textIn(messages[id], 'parentId')
      return parent !== undefined && !Object.hasOwn(messages, parent)
    })
    const faults = lost.map((id) => {
      const message = `The parent of message ${id} is not in the chat: messages before it are not shown and not sent.`
      return errorIn(record, 'dangling-parent', message)
    })
    if (current !== undefined && Object.hasOwn(messages, current)) return faults
    const message = `currentId names ${current ?? 'nothing'}, which is no message of this chat; the chat opens empty.`
    return [...faults, errorIn(record, 'stale-head', message)]
  })
}

export const openWebui = readOnlyFormat({
  id: 'open-webui',
  title: 'Open WebUI export',
  storage: 'json',
  recognize(input, given) {
    const [first] = firstElements(input, given)
    return objectIn(first, 'chat', 'history')['messages'] === undefined ? 0 : 1
  },
  read,
  check,
})
