/**
 * Sessions of pi, oh-my-pi and OpenClaw: one format, entries by `id` and `parentId`.
 */
import { isObject } from '../../core/index.ts'
import { fromEnv, homes, under } from '../shared/paths.ts'
import type { FileInput, HostEnvironment, SessionFormat } from '../types.ts'
import { check } from './check.ts'
import { ID, isEnvelope, read } from './read.ts'
import { write } from './write.ts'

export const pi: SessionFormat = {
  id: ID,
  title: 'pi',
  writes: 'yes',
  storage: 'jsonl',
  locate,
  recognize,
  read,
  write,
  check,
}

function locate(host: HostEnvironment) {
  const own = fromEnv(host, 'PI_CODING_AGENT_DIR')
  const agents = own === undefined ? homes(host, '.pi', 'agent') : [own]
  return [
    ...[...agents, ...homes(host, '.omp', 'agent')].map((folder) => ({
      root: under(host, folder, 'sessions'),
      pattern: '*/*.jsonl',
    })),
    ...homes(host, '.openclaw', 'agents').map((root) => ({ root, pattern: '*/sessions/*.jsonl' })),
  ]
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
  const entries = head.filter((value) => isEnvelope(value) && isObject(value) && ENTRIES.has(String(value['type'])))
  return entries.length > 0 ? 0.9 : 0
}
