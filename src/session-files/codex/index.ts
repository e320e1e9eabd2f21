/** Codex rollouts: items of the Responses API in order, with compactions and rollbacks between them. */

import { own, wordOf } from '../../core/index.ts'
import { defineFormat } from '../shared/session-file.ts'
import { check } from './check.ts'
import { conversations, ID, read } from './read.ts'
import { classify, isEnvelope } from './records.ts'
import { arrange, mayWrite, newFile, write } from './write.ts'

export { newRollout } from './write.ts'

const TYPES = new Set(['response_item', 'turn_context', 'event_msg'])

export const codex = defineFormat({
  id: ID,
  title: 'Codex',
  writes: 'yes',
  storage: 'jsonl',
  recognize({ path }, head) {
    if (own(head[0], 'type') === 'session_meta' && isEnvelope(head[0])) return 1
    if (head.some((value) => isEnvelope(value) && TYPES.has(wordOf(own(value, 'type'))))) return 0.9
    return head.length === 0 && /rollout-[^/\\]{0,200}\.jsonl$/.test(path ?? '') ? 0.5 : 0
  },
  read,
  typeOf: classify,
  conversations,
  write,
  check,
  arrange,
  mayWrite,
  newFile,
})
