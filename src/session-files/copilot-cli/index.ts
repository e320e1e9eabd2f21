/**
 * GitHub Copilot CLI sessions: events in one line by `parentId`.
 */
import { isObject } from '../../core/index.ts'
import { fromEnv, homes, under } from '../shared/paths.ts'
import type { FileInput, HostEnvironment, SessionFormat } from '../types.ts'
import { check } from './check.ts'
import { ID, isEnvelope, read } from './read.ts'
import { write } from './write.ts'

export const copilotCli: SessionFormat = {
  id: ID,
  title: 'GitHub Copilot CLI',
  writes: 'yes',
  storage: 'jsonl',
  locate,
  recognize,
  read,
  write,
  check,
}

function locate(host: HostEnvironment) {
  const own = fromEnv(host, 'COPILOT_HOME')
  const folders = own === undefined ? homes(host, '.copilot') : [own]
  return folders.map((folder) => ({ root: under(host, folder, 'session-state'), pattern: '{*/events.jsonl,*.jsonl}' }))
}

function recognize(_input: FileInput, head: readonly unknown[]): number {
  const first = head[0]
  if (isObject(first) && first['type'] === 'session.start' && isEnvelope(first)) return 1
  const events = head.filter(
    (value) => isEnvelope(value) && isObject(value) && 'parentId' in value && String(value['type']).includes('.'),
  )
  return events.length > 0 ? 0.9 : 0
}
