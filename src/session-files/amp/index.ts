/**
 * Amp: one JSON document for each thread, messages in Anthropic's shape. Only read: the thread itself is on Amp's
 * server.
 */

import { jsonText, own, type Path, wordOf } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { documentOf, readElements } from '../elements.ts'
import { fileName, textIn } from '../json-values.ts'
import { readOnlyFormat, sessionFile } from '../shared/session-file.ts'
import type { FileInput, SessionFile } from '../types.ts'

const PATHS: readonly Path[] = [['messages']]
const ROLES = new Set(['user', 'assistant', 'info'])
const FAILED = new Set(['error', 'rejected-by-user', 'cancelled'])

function typeOf(value: unknown): { type: string; known: boolean } {
  const role = textIn(value, 'role') ?? 'no message'
  return { type: role, known: ROLES.has(role) }
}

/** Amp stores a result as a run with a status. The output or the error of the run is sent. */
function toBlock(block: unknown): unknown {
  const run = own(block, 'run')
  if (own(block, 'type') !== 'tool_result' || own(block, 'content') !== undefined) return block
  const output = own(run, 'result') ?? own(own(run, 'error'), 'message') ?? own(run, 'reason') ?? ''
  return {
    type: 'tool_result',
    tool_use_id: own(block, 'toolUseID') ?? own(block, 'tool_use_id'),
    content: typeof output === 'string' ? output : jsonText(output),
    ...(FAILED.has(textIn(run, 'status') ?? '') ? { is_error: true } : {}),
  }
}

function read(input: FileInput): SessionFile {
  const { records, salvage, value } = readElements(input, PATHS, typeOf)
  const builder = new ConversationBuilder()
  for (const { index, value: message, type, known } of records) {
    const content = own(message, 'content')
    if (!known || type === 'info') builder.exclude(index, 'not-conversation')
    else builder.add([{ role: type, content: Array.isArray(content) ? content.map(toBlock) : content }], [index])
  }
  const conversation = builder.done({
    id: 'main',
    title: textIn(value, 'title'),
    dialect: 'anthropic-messages',
    provider: 'anthropic',
    agentClosesOpenCalls: true,
  })
  return sessionFile('amp', input, { records, salvage }, [conversation], {
    version: own(value, 'v') === undefined ? undefined : wordOf(own(value, 'v')),
    sessionId: textIn(value, 'id'),
  })
}

export const amp = readOnlyFormat({
  id: 'amp',
  title: 'Amp',
  storage: 'json',
  recognize(input, head) {
    if (/^T-.*\.json$/.test(fileName(input.path))) return 0.95
    return /^T-/.test(textIn(documentOf(input, head), 'id') ?? '') ? 0.9 : 0
  },
  read,
})
