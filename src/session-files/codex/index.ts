/**
 * Codex rollouts: items of the Responses API in order, with compactions and rollbacks between them.
 */
import { isObject } from '../../core/index.ts'
import { fromEnv, homes, under } from '../shared/paths.ts'
import type { FileInput, HostEnvironment, SessionFormat } from '../types.ts'
import { check } from './check.ts'
import { ID, read } from './read.ts'
import { isEnvelope } from './records.ts'
import { arrange, mayWrite, write } from './write.ts'

export { newRollout } from './write.ts'

export const codex: SessionFormat = {
  id: ID,
  title: 'Codex',
  writes: 'yes',
  storage: 'jsonl',
  locate,
  recognize,
  read,
  write,
  check,
  arrange,
  mayWrite,
}

function locate(host: HostEnvironment) {
  const own = fromEnv(host, 'CODEX_HOME')
  const folders = own === undefined ? homes(host, '.codex') : [own]
  return folders.flatMap((folder) => [
    { root: under(host, folder, 'sessions'), pattern: '*/*/*/rollout-*.{jsonl,jsonl.zst}' },
    { root: under(host, folder, 'archived_sessions'), pattern: '**/rollout-*.{jsonl,jsonl.zst}' },
  ])
}

function recognize({ path }: FileInput, head: readonly unknown[]): number {
  const first = head[0]
  if (isObject(first) && first['type'] === 'session_meta' && isEnvelope(first)) return 1
  if (
    head.some(
      (value) =>
        isEnvelope(value) &&
        isObject(value) &&
        ['response_item', 'turn_context', 'event_msg'].includes(String(value['type'])),
    )
  )
    return 0.9
  return head.length === 0 && /rollout-[^/\\]{0,200}\.jsonl$/.test(path ?? '') ? 0.5 : 0
}
