/** Qwen Code chats: Claude Code's tree with Gemini messages. */

import { isObject } from '../../core/index.ts'
import { object } from '../json-values.ts'
import { repairedPath } from '../shared/linked.ts'
import { plainPartFaults } from '../shared/plain-parts.ts'
import { defineFormat } from '../shared/session-file.ts'
import type { FileFault, SessionFile } from '../types.ts'
import { classify, conversations, ID, isEnvelope, KEYS, PARTS, read } from './read.ts'
import { write } from './write.ts'

export const qwenCode = defineFormat({
  id: ID,
  title: 'Qwen Code',
  writes: 'yes',
  storage: 'jsonl',
  recognize(_input, head) {
    const own = head.filter(isObject).filter(isEnvelope)
    if (own.some((value) => Array.isArray(object(value, 'message')?.['parts']))) return 1
    const isOwn = own.some(
      (value) => 'provenance' in value || 'systemPayload' in value || value['type'] === 'tool_result',
    )
    return isOwn ? 0.9 : 0
  },
  read,
  typeOf: classify,
  conversations,
  write,
  check,
})

function check(file: SessionFile): readonly FileFault[] {
  const chained = file.records.filter(({ value }) => isEnvelope(value))
  return [...repairedPath(chained, KEYS, 'Qwen Code').faults, ...plainPartFaults(file, PARTS)]
}
