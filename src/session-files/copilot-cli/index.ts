/**
 * GitHub Copilot CLI sessions: a chain of events by `parentId`.
 */

import { isObject, wordOf } from '../../core/index.ts'
import { places } from '../places.ts'
import type { FileInput, SessionFormat } from '../types.ts'
import { check } from './check.ts'
import { classify, conversations, ID, isEnvelope, read } from './read.ts'
import { write } from './write.ts'

export const copilotCli: SessionFormat = {
  id: ID,
  title: 'GitHub Copilot CLI',
  writes: 'yes',
  storage: 'jsonl',
  locate: places['copilot-cli'],
  recognize,
  read,
  typeOf: classify,
  conversations,
  write,
  check,
}

function recognize(_input: FileInput, head: readonly unknown[]): number {
  const first = head[0]
  if (isObject(first) && first['type'] === 'session.start' && isEnvelope(first)) return 1
  const events = head.filter(
    (value) => isEnvelope(value) && isObject(value) && 'parentId' in value && wordOf(value['type']).includes('.'),
  )
  return events.length > 0 ? 0.9 : 0
}
