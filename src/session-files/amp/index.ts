/**
 * Amp: one JSON document for each thread, messages in Anthropic's shape. The server has the thread, so the file is only read.
 */

import { jsonText, own, type Path, wordOf } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { documentOf, readElements } from '../elements.ts'
import { fileName, listIn, textIn } from '../json-values.ts'
import { places } from '../places.ts'
import { unknownTypes } from '../shared/unknown.ts'
import type { FileInput, SessionFile, SessionFormat } from '../types.ts'

const PATHS: readonly Path[] = [['messages']]

function typeOf(value: unknown): { type: string; known: boolean } {
  const role = textIn(value, 'role')
  return { type: role ?? 'no message', known: role === 'user' || role === 'assistant' || role === 'info' }
}

/** A result of Amp's is a run with a status; what was sent is its text or its error. */
function toBlock(block: unknown): unknown {
  const run = own(block, 'run')
  if (own(block, 'type') !== 'tool_result' || own(block, 'content') !== undefined) return block
  const tool_use_id = own(block, 'toolUseID') ?? own(block, 'tool_use_id')
  const status = textIn(run, 'status')
  const said = own(run, 'result') ?? own(own(run, 'error'), 'message') ?? own(run, 'reason') ?? ''
  const failed = status === 'error' || status === 'rejected-by-user' || status === 'cancelled'
  return {
    type: 'tool_result',
    tool_use_id,
    content: typeof said === 'string' ? said : jsonText(said),
    ...(failed ? { is_error: true } : {}),
  }
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, typeOf)
  const builder = new ConversationBuilder()
  for (const record of records) {
    const role = own(record.value, 'role')
    const content = own(record.value, 'content')
    if (role === 'user' || role === 'assistant')
      builder.add(
        [{ role, content: Array.isArray(content) ? listIn(record.value, 'content').map(toBlock) : content }],
        [record.index],
      )
    else builder.exclude(record.index, 'not-conversation')
  }
  return {
    format: 'amp',
    version: own(value, 'v') === undefined ? undefined : wordOf(own(value, 'v')),
    sessionId: textIn(value, 'id'),
    input,
    records,
    salvage,
    conversations: [
      builder.done({
        id: 'main',
        title: textIn(value, 'title'),
        dialect: 'anthropic-messages',
        provider: 'anthropic',
        agentClosesOpenCalls: true,
      }),
    ],
    unknown: unknownTypes(records),
  }
}

export const amp: SessionFormat = {
  id: 'amp',
  title: 'Amp',
  writes: 'no',
  storage: 'json',
  locate: places.amp,
  recognize(input, head) {
    if (/^T-.*\.json$/.test(fileName(input.path))) return 0.95
    return /^T-/.test(textIn(documentOf(input, head), 'id') ?? '') ? 0.9 : 0
  },
  read,
  write: () => [],
  check: () => [],
}
