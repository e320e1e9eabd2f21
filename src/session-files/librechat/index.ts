/**
 * Conversations exported from LibreChat: a tree or a list of messages. A tool call and its output are one content part.
 */

import { isObject, own, type Path } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { documentOf, readElements } from '../elements.ts'
import { type HistoryWriter, writerFor } from '../history-writer.ts'
import { asText, listIn, objectIn, textIn } from '../json-values.ts'
import { serviceByName } from '../service-by-name.ts'
import { ancestors } from '../shared/ancestors.ts'
import { callOf } from '../shared/chat-call.ts'
import { warningIn } from '../shared/faults.ts'
import { ofType } from '../shared/parts.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import type { FileFault, FileInput, SessionFile } from '../types.ts'

const PATHS: readonly Path[] = [['messages'], ['messagesTree']]

interface Node {
  readonly message: unknown
  readonly record: number
  readonly parent: Node | undefined
}

/** Every message with its parent: of the tree, or of a list with `parentMessageId`. */
function nodesOf(values: readonly unknown[]): readonly Node[] {
  const nodes: Node[] = []
  const byId = new Map<unknown, Node>()
  const stack = values.map((message, record) => ({ message, record, parent: undefined as Node | undefined })).reverse()
  while (stack.length > 0) {
    const { message, record, parent } = stack.pop()!
    const node: Node = { message, record, parent: parent ?? byId.get(own(message, 'parentMessageId')) }
    nodes.push(node)
    byId.set(own(message, 'messageId'), node)
    for (const child of listIn(message, 'children').toReversed()) stack.push({ message: child, record, parent: node })
  }
  return nodes
}

function chainOf(nodes: readonly Node[]): ReadonlySet<Node> {
  const isLinked = nodes.some(
    ({ message }) => own(message, 'parentMessageId') !== undefined || listIn(message, 'children').length > 0,
  )
  // A list without ids is one branch.
  return isLinked ? ancestors(nodes.at(-1), ({ parent }) => parent) : new Set(nodes)
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, (message) => ({
    type: own(message, 'isCreatedByUser') === true ? 'user' : 'assistant',
    known: isObject(message) && (own(message, 'text') ?? own(message, 'content')) !== undefined,
  }))
  const model = textIn(value, 'options', 'model')
  const service = serviceByName(textIn(value, 'endpoint') ?? textIn(value, 'options', 'endpoint'), model)
  const writer = writerFor(service.dialect)
  const builder = new ConversationBuilder()
  const nodes = nodesOf(records.map((record) => record.value))
  const chain = chainOf(nodes)
  for (const node of nodes) if (chain.has(node)) builder.add(messagesOf(node.message, writer), [node.record])
  for (const node of nodes) if (!chain.has(node)) builder.exclude(node.record, 'other-branch')
  const conversation = builder.done({ id: 'main', title: textIn(value, 'title'), ...service, model })
  return sessionFile('librechat', input, { records, salvage }, [conversation], {
    sessionId: textIn(value, 'conversationId'),
    unknown: records.every(({ known }) => known) ? [] : ['message without text and content'],
  })
}

function messagesOf(message: unknown, writer: HistoryWriter): readonly unknown[] {
  const parts = listIn(message, 'content')
  const texts = ofType(parts, 'text').map((part) => textIn(part, 'text') ?? textIn(part, 'text', 'value') ?? '')
  const text = parts.length > 0 ? texts.join('\n') : (textIn(message, 'text') ?? '')
  if (own(message, 'isCreatedByUser') === true) return text === '' ? [] : [writer.user(text)]
  const calls = ofType(parts, 'tool_call').map((part) => objectIn(part, 'tool_call'))
  const reply = writer.reply({
    texts: [text],
    calls: calls.map((call) => callOf(textIn(call, 'id'), textIn(call, 'name'), call['args'] ?? {})),
  })
  const results = calls.filter((call) => call['output'] !== undefined && call['output'] !== null)
  return [
    ...reply,
    ...writer.results(
      results.map((call) => ({
        id: textIn(call, 'id') ?? '',
        name: textIn(call, 'name') ?? '',
        content: asText(call['output']),
      })),
    ),
  ]
}

function check(file: SessionFile): readonly FileFault[] {
  return file.records.flatMap((record) => {
    const calls = ofType(listIn(record.value, 'content'), 'tool_call').map((part) => own(part, 'tool_call'))
    return calls.flatMap((call) => {
      if ((own(call, 'output') ?? undefined) !== undefined) return []
      const message = `The call ${textIn(call, 'id') ?? ''} has no output: the run ended before the tool did.`
      return [warningIn(record, 'tool-call-unfinished', message)]
    })
  })
}

export const librechat = defineFormat({
  id: 'librechat',
  title: 'LibreChat export',
  storage: 'json',
  recognize(input, head) {
    const value = documentOf(input, head)
    if (textIn(value, 'conversationId') === undefined) return 0
    return Array.isArray(own(value, 'messages')) || Array.isArray(own(value, 'messagesTree')) ? 1 : 0
  },
  read,
  check,
})
