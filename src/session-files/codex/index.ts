/**
 * Codex rollouts: items of the Responses API in order, with compactions and rollbacks between them.
 */

import { isObject, wordOf } from '../../core/index.ts'
import { places } from '../places.ts'
import type { FileInput, SessionFormat } from '../types.ts'
import { check } from './check.ts'
import { conversations, ID, read } from './read.ts'
import { classify, isEnvelope } from './records.ts'
import { arrange, mayWrite, newFile, write } from './write.ts'

export { newRollout } from './write.ts'

export const codex: SessionFormat = {
  id: ID,
  title: 'Codex',
  writes: 'yes',
  storage: 'jsonl',
  locate: places.codex,
  recognize,
  read,
  typeOf: classify,
  conversations,
  write,
  check,
  arrange,
  mayWrite,
  newFile,
}

function recognize({ path }: FileInput, head: readonly unknown[]): number {
  const first = head[0]
  if (isObject(first) && first['type'] === 'session_meta' && isEnvelope(first)) return 1
  if (
    head.some(
      (value) =>
        isEnvelope(value) &&
        isObject(value) &&
        ['response_item', 'turn_context', 'event_msg'].includes(wordOf(value['type'])),
    )
  )
    return 0.9
  return head.length === 0 && /rollout-[^/\\]{0,200}\.jsonl$/.test(path ?? '') ? 0.5 : 0
}
