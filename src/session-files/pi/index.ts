/**
 * Sessions of pi, oh-my-pi and OpenClaw: one format, entries by `id` and `parentId`.
 */

import { isObject, wordOf } from '../../core/index.ts'
import { places } from '../places.ts'
import type { FileInput, SessionFormat } from '../types.ts'
import { check } from './check.ts'
import { classify, conversations, ID, isEnvelope, read } from './read.ts'
import { write } from './write.ts'

export const pi: SessionFormat = {
  id: ID,
  title: 'pi',
  writes: 'yes',
  storage: 'jsonl',
  locate: places.pi,
  recognize,
  read,
  typeOf: classify,
  conversations,
  write,
  check,
}

const ENTRIES = new Set([
  'message',
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
  'custom_message',
])

function recognize(_input: FileInput, head: readonly unknown[]): number {
  const first = head[0]
  if (isObject(first) && first['type'] === 'session' && isEnvelope(first)) return 1
  const entries = head.filter((value) => isEnvelope(value) && isObject(value) && ENTRIES.has(wordOf(value['type'])))
  return entries.length > 0 ? 0.9 : 0
}
