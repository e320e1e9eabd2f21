/** Sessions of pi, oh-my-pi and OpenClaw: one format, entries by `id` and `parentId`. */

import { own, wordOf } from '../../core/index.ts'
import { wordSet } from '../json-values.ts'
import { defineFormat } from '../shared/session-file.ts'
import { check } from './check.ts'
import { classify, conversations, ID, isEnvelope, read } from './read.ts'
import { write } from './write.ts'

const ENTRIES = wordSet('message model_change thinking_level_change compaction branch_summary custom_message')

export const pi = defineFormat({
  id: ID,
  title: 'pi',
  writes: 'yes',
  storage: 'jsonl',
  recognize(_input, head) {
    if (own(head[0], 'type') === 'session' && isEnvelope(head[0])) return 1
    return head.some((value) => isEnvelope(value) && ENTRIES.has(wordOf(own(value, 'type')))) ? 0.9 : 0
  },
  read,
  typeOf: classify,
  conversations,
  write,
  check,
})
