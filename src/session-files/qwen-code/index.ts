/**
 * Qwen Code chats: Claude Code's tree with Gemini messages.
 */

import { isObject } from '../../core/index.ts'
import { places } from '../places.ts'
import { linkedPath } from '../shared/linked.ts'
import { object, text } from '../shared/values.ts'
import type { FileInput, SessionFormat } from '../types.ts'
import { ID, isEnvelope, KEYS, read } from './read.ts'
import { write } from './write.ts'

export const qwenCode: SessionFormat = {
  id: ID,
  title: 'Qwen Code',
  writes: 'yes',
  storage: 'jsonl',
  locate: places['qwen-code'],
  recognize,
  read,
  write,
  check: ({ records }) =>
    linkedPath(
      records.filter(({ value }) => isEnvelope(value)),
      KEYS,
      true,
      'Qwen Code',
    ).faults,
}

function recognize(_input: FileInput, head: readonly unknown[]): number {
  const own = head.filter(isEnvelope)
  if (own.some((value) => Array.isArray(object(value, 'message')?.['parts']))) return 1
  return own.some(
    (value) =>
      isObject(value) && ('provenance' in value || 'systemPayload' in value || text(value, 'type') === 'tool_result'),
  )
    ? 0.9
    : 0
}
