/** Claude Code session files: a tree of records by `uuid` and `parentUuid`, one line for each content block. */

import { isObject, type JsonObject, own, wordOf } from '../../core/index.ts'
import { wordSet } from '../json-values.ts'
import { defineFormat } from '../shared/session-file.ts'
import { check } from './check.ts'
import { conversations, ID, read } from './read.ts'
import { classify } from './records.ts'
import { write } from './write.ts'

const TYPES = wordSet('user assistant system summary attachment progress file-history-snapshot queue-operation')

export const claudeCode = defineFormat({
  id: ID,
  title: 'Claude Code',
  writes: 'yes',
  storage: 'jsonl',
  recognize(_input, head) {
    const values = head.filter(isObject)
    if (values.some((value) => 'parentUuid' in value && 'uuid' in value && !isQwen(value))) return 1
    const named = values.filter((value) => 'sessionId' in value || 'leafUuid' in value || 'messageId' in value)
    return named.some(({ type }) => TYPES.has(wordOf(type))) ? 0.7 : 0
  },
  read,
  typeOf: classify,
  conversations,
  write,
  check,
})

/** Qwen Code writes the same tree with Gemini's messages. */
function isQwen(value: JsonObject): boolean {
  return 'provenance' in value || 'systemPayload' in value || Array.isArray(own(value['message'], 'parts'))
}
