/** What Codex will not load from a rollout. */
import { equal, isObject, type JsonObject } from '../../core/index.ts'
import { defined, list, object, text } from '../json-values.ts'
import { errorIn } from '../shared/faults.ts'
import { lineOf } from '../shared/line.ts'
import type { FileFault, FileRecord, SessionFile } from '../types.ts'
import { ordinalOf } from './records.ts'

export function check(file: SessionFile): readonly FileFault[] {
  return [...headFault(file), ...ordinalFaults(file), ...file.records.flatMap(compactionFault)]
}

function headFault(file: SessionFile): readonly FileFault[] {
  const first = file.records[0]
  if (!first || first.type === 'session_meta') return []
  const message = `The first record is ${first.type}, not session_meta: Codex does not list this thread.`
  const head = headFrom(file)
  if (!head) {
    const because = 'The file name has no thread id, so the head cannot be rebuilt.'
    return [errorIn(first, 'missing-head-record', `${message} ${because}`)]
  }
  const repair = 'The repair writes a head from the file name and the first turn.'
  const fix = [{ op: 'insert', after: -1, bytes: lineOf(head), why: 'missing-head-record: rebuilt' }] as const
  return [errorIn(first, 'missing-head-record', `${message} ${repair}`, fix)]
}

const NAME = /rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([0-9a-f-]{36})/

/** A head with the values of the file name and the first turn. */
function headFrom({ input, records }: SessionFile): JsonObject | undefined {
  const id = NAME.exec(input.path ?? '')?.[1]
  const turn = object(records.find(({ type }) => type === 'turn_context')?.value, 'payload')
  const timestamp = text(records[0]?.value, 'timestamp')
  if (id === undefined || timestamp === undefined || records.some(({ type }) => type === 'session_meta'))
    return undefined
  const first = ordinalOf(records[0]!.value)
  return defined({
    timestamp,
    ordinal: first === 1 ? 0 : undefined,
    type: 'session_meta',
    payload: defined({
      id,
      session_id: id,
      timestamp,
      cwd: text(turn, 'cwd') ?? '',
      originator: 'codex_cli_rs',
      cli_version: '0.0.0',
      source: 'cli',
    }),
  })
}

function ordinalFaults({ records }: SessionFile): readonly FileFault[] {
  const faults: FileFault[] = []
  const seen = new Map<number, FileRecord>()
  for (const record of records) {
    const ordinal = ordinalOf(record.value)
    if (ordinal === undefined) continue
    const first = seen.get(ordinal)
    if (first) faults.push(duplicate(record, first, ordinal, records))
    else seen.set(ordinal, record)
  }
  return faults
}

/** The repair removes a settings record that repeats an earlier one. New numbers would break Codex's cache. */
function duplicate(record: FileRecord, first: FileRecord, ordinal: number, records: readonly FileRecord[]): FileFault {
  const spare = [record, first].find((candidate) => repeatsSettings(candidate, records))
  const message = `Ordinal ${ordinal} is used in line ${first.line} and again in line ${record.line}: Codex stops loading there.`
  if (!spare) {
    const because = 'Neither record repeats another one, so only you can decide.'
    return errorIn(record, 'duplicate-ordinal', `${message} ${because}`)
  }
  const repair = `The repair removes the settings record in line ${spare.line}, which repeats an earlier one.`
  const why = 'duplicate-ordinal: the record repeats earlier settings'
  const fix = [{ op: 'remove', record: spare.index, why }] as const
  return errorIn(record, 'duplicate-ordinal', `${message} ${repair}`, fix)
}

function repeatsSettings(record: FileRecord, records: readonly FileRecord[]): boolean {
  if (record.type !== 'event_msg/thread_settings_applied') return false
  const payload = object(record.value, 'payload')
  const before = records.findLast((one) => one.index < record.index && one.type === record.type)
  return before !== undefined && equal(object(before.value, 'payload'), payload)
}

function compactionFault(record: FileRecord): readonly FileFault[] {
  if (record.type !== 'compacted' || !isObject(record.value)) return []
  const payload = object(record.value, 'payload')
  const history = list(payload, 'replacement_history')
  const metadata = list(payload, 'replacement_history_metadata')
  if (!history || !metadata || history.length === metadata.length) return []
  const message = `The compaction in line ${record.line} has ${history.length} messages but ${metadata.length} entries of metadata: Codex rejects the record. Only you can repair it.`
  return [errorIn(record, 'compaction-lengths-differ', message)]
}
