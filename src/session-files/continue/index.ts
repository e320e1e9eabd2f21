/**
 * Continue: one JSON document for each session; `history[]` has a message and the states of its calls, with their output.
 */

import { own, type Path } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { documentOf, readElements } from '../elements.ts'
import { writerFor } from '../history-writer.ts'
import { asText, fileName, listIn, slashed, textIn } from '../json-values.ts'
import { places } from '../places.ts'
import { serviceByName } from '../service-by-name.ts'
import { unknownTypes } from '../shared/unknown.ts'
import type { FileFault, FileInput, FileRecord, SessionFile, SessionFormat } from '../types.ts'

const PATHS: readonly Path[] = [['history']]
const ROLES = new Set(['user', 'assistant', 'system', 'tool', 'thinking'])

function typeOf(value: unknown): { type: string; known: boolean } {
  const role = textIn(value, 'message', 'role') ?? 'no message'
  return { type: role, known: ROLES.has(role) }
}

function contentOf(message: unknown): string {
  const content = own(message, 'content')
  if (typeof content === 'string') return content
  return listIn(message, 'content')
    .map((part) => textIn(part, 'text') ?? '')
    .join('\n')
}

function modelIn(records: readonly FileRecord[]): string | undefined {
  return records.map(({ value }) => textIn(value, 'message', 'usage', 'model')).findLast((name) => name !== undefined)
}

/** Calls with an output, done or failed; the others are open. */
function resultsOf(item: unknown) {
  return listIn(item, 'toolCallStates').flatMap((state) => {
    const output = own(state, 'output')
    if (!Array.isArray(output)) return []
    const content = output.map((part) => textIn(part, 'content') ?? '').join('\n')
    return [
      {
        id: textIn(state, 'toolCallId') ?? '',
        name: textIn(state, 'toolCall', 'function', 'name') ?? '',
        content,
        failed: own(state, 'status') === 'errored',
      },
    ]
  })
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, typeOf)
  const model = modelIn(records)
  const service = serviceByName(model)
  const writer = writerFor(service.dialect)
  const builder = new ConversationBuilder()
  for (const { value: item, index, type } of records) {
    const message = own(item, 'message')
    if (type === 'user') builder.add([writer.user(contentOf(message))], [index])
    else if (type === 'system') builder.add([writer.system(contentOf(message))], [index])
    else if (type === 'tool')
      builder.add(
        writer.results([{ id: textIn(message, 'toolCallId') ?? '', name: '', content: contentOf(message) }]),
        [index],
      )
    else if (type === 'assistant') {
      const calls = listIn(message, 'toolCalls').map((call) => ({
        id: textIn(call, 'id') ?? '',
        name: textIn(call, 'function', 'name') ?? '',
        arguments: asText(own(own(call, 'function'), 'arguments') ?? ''),
      }))
      const reply = writer.reply({ texts: [contentOf(message)], calls })
      builder.add([...(reply === undefined ? [] : [reply]), ...writer.results(resultsOf(item))], [index])
    } else builder.exclude(index, 'not-conversation')
  }
  return {
    format: 'continue',
    sessionId: textIn(value, 'sessionId'),
    cwd: textIn(value, 'workspaceDirectory'),
    input,
    records,
    salvage,
    conversations: [builder.done({ id: 'main', title: textIn(value, 'title'), ...service, model })],
    unknown: unknownTypes(records),
  }
}

const ENDED = new Set(['done', 'errored', 'canceled'])

function check(file: SessionFile): readonly FileFault[] {
  return file.records.flatMap(({ value, index, line }) =>
    listIn(value, 'toolCallStates')
      .filter((state) => !ENDED.has(textIn(state, 'status') ?? ''))
      .map((state) => ({
        rule: 'tool-call-unfinished',
        severity: 'warning' as const,
        record: index,
        line,
        message: `The call ${textIn(state, 'toolCallId') ?? ''} is in the state "${textIn(state, 'status') ?? 'unknown'}"; nothing will finish it. Continue offers to run it again when the session is opened.`,
      })),
  )
}

export const continueDev: SessionFormat = {
  id: 'continue',
  title: 'Continue',
  writes: 'no',
  storage: 'json',
  locate: places.continue,
  recognize(input, head) {
    if (fileName(input.path) === 'sessions.json') return 0
    const value = documentOf(input, head)
    if (textIn(value, 'sessionId') !== undefined && Array.isArray(own(value, 'history'))) return 1
    return /\.continue\/sessions\/[^/]+\.json$/.test(slashed(input.path)) ? 0.8 : 0
  },
  read,
  write: () => [],
  check,
}
