/**
 * Conversations exported from LibreChat: a tree or a list of messages. A tool call and its output are one content part.
 */
import { isObject, own, type Path } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { documentOf, readElements } from '../elements.ts'
import { type HistoryWriter, writerFor } from '../history-writer.ts'
import { asText, listIn, objectIn, textIn } from '../json-values.ts'
import { serviceByName } from '../service-by-name.ts'
import type { FileFault, FileInput, SessionFile, SessionFormat } from '../types.ts'

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
  const chain = new Set<Node>()
  for (let at = nodes.at(-1); at && !chain.has(at); at = at.parent) chain.add(at)
  // A list without ids is one branch.
  return nodes.every(
    ({ message }) => own(message, 'parentMessageId') === undefined && listIn(message, 'children').length === 0,
  )
    ? new Set(nodes)
    : chain
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
  for (const node of [...chain].sort((a, b) => nodes.indexOf(a) - nodes.indexOf(b)))
    builder.add(messagesOf(node.message, writer), [node.record])
  for (const node of nodes) if (!chain.has(node)) builder.exclude(node.record, 'other-branch')
  return {
    format: 'librechat',
    sessionId: textIn(value, 'conversationId'),
    input,
    records,
    salvage,
    conversations: [builder.done({ id: 'main', title: textIn(value, 'title'), ...service, model })],
    unknown: [...new Set(records.filter(({ known }) => !known).map(() => 'message without text and content'))],
  }
}

function messagesOf(message: unknown, writer: HistoryWriter): readonly unknown[] {
  const parts = listIn(message, 'content')
  const texts = parts
    .filter((part) => own(part, 'type') === 'text')
    .map((part) => textIn(part, 'text') ?? textIn(part, 'text', 'value') ?? '')
  const said = parts.length > 0 ? texts.join('\n') : (textIn(message, 'text') ?? '')
  if (own(message, 'isCreatedByUser') === true) return said === '' ? [] : [writer.user(said)]
  const calls = parts.filter((part) => own(part, 'type') === 'tool_call').map((part) => objectIn(part, 'tool_call'))
  const reply = writer.reply({
    texts: [said],
    calls: calls.map((call) => ({
      id: textIn(call, 'id') ?? '',
      name: textIn(call, 'name') ?? '',
      arguments: call['args'] ?? {},
    })),
  })
  const results = calls.filter((call) => call['output'] !== undefined && call['output'] !== null)
  return [
    ...(reply === undefined ? [] : [reply]),
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
  return file.records.flatMap(({ value, index, line }) =>
    listIn(value, 'content')
      .filter(
        (part) =>
          own(part, 'type') === 'tool_call' && (own(own(part, 'tool_call'), 'output') ?? undefined) === undefined,
      )
      .map((part) => ({
        rule: 'tool-call-unfinished',
        severity: 'warning' as const,
        record: index,
        line,
        message: `The call ${textIn(part, 'tool_call', 'id') ?? ''} has no output: the run ended before the tool did.`,
      })),
  )
}

export const librechat: SessionFormat = {
  id: 'librechat',
  title: 'LibreChat export',
  writes: 'no',
  storage: 'json',
  locate: () => [],
  recognize(input, head) {
    const value = documentOf(input, head)
    if (textIn(value, 'conversationId') === undefined) return 0
    return Array.isArray(own(value, 'messages')) || Array.isArray(own(value, 'messagesTree')) ? 1 : 0
  },
  read,
  write: () => [],
  check,
}
