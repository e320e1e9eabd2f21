/** GitHub Copilot CLI sessions: a chain of events by `parentId`. */

import { isObject, own, wordOf } from '../../core/index.ts'
import { defineFormat } from '../shared/session-file.ts'
import { check } from './check.ts'
import { classify, conversations, ID, isEnvelope, read } from './read.ts'
import { write } from './write.ts'

export const copilotCli = defineFormat({
  id: ID,
  title: 'GitHub Copilot CLI',
  writes: 'yes',
  storage: 'jsonl',
  recognize(_input, head) {
    if (own(head[0], 'type') === 'session.start' && isEnvelope(head[0])) return 1
    const events = head.filter(isObject).filter((value) => isEnvelope(value) && 'parentId' in value)
    return events.some(({ type }) => wordOf(type).includes('.')) ? 0.9 : 0
  },
  read,
  typeOf: classify,
  conversations,
  write,
  check,
})
