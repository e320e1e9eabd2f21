/**
 * OpenHands: a folder with `base_state.json` and one file for each event. The parent of an event is `parent_id`, else
 * the event before it.
 */

import { isObject, type JsonObject, own } from '../../core/index.ts'
import { ConversationBuilder } from '../conversation.ts'
import { type HistoryWriter, writerFor } from '../history-writer.ts'
import { asText, fileName, listIn, slashed, textIn, wordSet } from '../json-values.ts'
import { parsed } from '../lines.ts'
import { serviceByName } from '../service-by-name.ts'
import { ancestors } from '../shared/ancestors.ts'
import { callOf } from '../shared/chat-call.ts'
import { errorIn } from '../shared/faults.ts'
import { textsOf } from '../shared/parts.ts'
import { defineFormat, sessionFile } from '../shared/session-file.ts'
import type { FileFault, FileInput, FileRecord, Quarantined, SessionFile } from '../types.ts'

const KINDS = wordSet(`
  MessageEvent ActionEvent ObservationEvent AgentErrorEvent UserRejectObservation SystemPromptEvent
  Condensation CondensationRequest CondensationSummaryEvent PauseEvent ConversationStateUpdateEvent
  ConversationErrorEvent TokenEvent LLMCompletionLogEvent
`)

/** One record for each event file, by number. `start` and `end` are offsets in the event's file. */
function recordsOf(input: FileInput): { records: FileRecord[]; quarantined: Quarantined[] } {
  const records: FileRecord[] = []
  const quarantined: Quarantined[] = []
  const files = [...(input.siblings ?? [])].filter(([path]) => /(^|\/)event-\d+-[^/]*\.json$/.test(slashed(path)))
  files.sort(([a], [b]) => (slashed(a) < slashed(b) ? -1 : 1))
  files.forEach(([, bytes], i) => {
    const value = parsed(bytes)
    if (!isObject(value)) {
      quarantined.push({ line: i + 1, offset: 0, bytes, reason: value === undefined ? 'not-json' : 'not-a-record' })
      return
    }
    const type = textIn(value, 'kind') ?? 'unknown'
    const place = { index: records.length, line: i + 1, start: 0, end: bytes.length }
    records.push({ ...place, value, type, known: KINDS.has(type) })
  })
  return { records, quarantined }
}

/** From the leaf to the root. The default leaf is the last event. */
function chainOf(records: readonly FileRecord[], leaf: string | undefined): ReadonlySet<FileRecord> {
  const byId = new Map(records.map((record) => [own(record.value, 'id'), record]))
  return ancestors((leaf === undefined ? undefined : byId.get(leaf)) ?? records.at(-1), ({ value, index }) => {
    const parent = textIn(value, 'parent_id')
    return parent === undefined ? records[index - 1] : byId.get(parent)
  })
}

function read(input: FileInput): SessionFile {
  const state = parsed(input.bytes)
  const { records, quarantined } = recordsOf(input)
  const model = textIn(state, 'agent', 'llm', 'model')
  const service = serviceByName(model)
  const builder = new ConversationBuilder()
  fill(builder, records, chainOf(records, textIn(state, 'leaf_event_id')), writerFor(service.dialect))
  const salvage = { quarantined, notes: [] }
  return sessionFile('openhands', input, { records, salvage }, [builder.done({ id: 'main', ...service, model })], {
    sessionId: textIn(state, 'id'),
    cwd: textIn(state, 'workspace', 'working_dir'),
  })
}

const CONTENT = new Set(['MessageEvent', 'ActionEvent', 'ObservationEvent', 'AgentErrorEvent', 'UserRejectObservation'])

function fill(
  builder: ConversationBuilder,
  records: readonly FileRecord[],
  chain: ReadonlySet<FileRecord>,
  writer: HistoryWriter,
): void {
  const forgotten = new Set(
    records
      .filter((record) => record.type === 'Condensation' && chain.has(record))
      .flatMap(({ value }) => listIn(value, 'forgotten_event_ids')),
  )
  let batch: FileRecord[] = []
  const close = () => {
    if (batch.length > 0)
      builder.add(
        actions(batch, writer),
        batch.map(({ index }) => index),
      )
    batch = []
  }
  for (const record of records) {
    if (!CONTENT.has(record.type)) continue
    if (!chain.has(record)) builder.exclude(record.index, 'other-branch')
    else if (forgotten.has(own(record.value, 'id'))) builder.exclude(record.index, 'before-compaction')
    else if (record.type === 'ActionEvent') {
      // Calls of one answer have the same response id.
      const same =
        batch.length === 0 || own(batch[0]!.value, 'llm_response_id') === own(record.value, 'llm_response_id')
      if (!same) close()
      batch.push(record)
    } else {
      close()
      builder.add(messagesOf(record.type, record.value as JsonObject, writer), [record.index])
    }
  }
  close()
}

function actions(batch: readonly FileRecord[], writer: HistoryWriter): readonly unknown[] {
  return writer.reply({
    texts: batch.flatMap(({ value }) => textsOf(listIn(value, 'thought'))),
    calls: batch.map(({ value }) => {
      const args = textIn(value, 'tool_call', 'arguments') ?? textIn(value, 'tool_call', 'function', 'arguments')
      return callOf(textIn(value, 'tool_call_id'), textIn(value, 'tool_name'), args ?? '{}')
    }),
  })
}

function messagesOf(kind: string, event: JsonObject, writer: HistoryWriter): readonly unknown[] {
  if (kind === 'MessageEvent') {
    const text = textsOf(listIn(event, 'llm_message', 'content')).join('\n')
    const isReply = textIn(event, 'llm_message', 'role') === 'assistant'
    return isReply ? writer.reply({ texts: [text], calls: [] }) : [writer.user(text)]
  }
  const base = { id: textIn(event, 'tool_call_id') ?? '', name: textIn(event, 'tool_name') ?? '' }
  if (kind === 'ObservationEvent') {
    const content = own(event['observation'], 'content') ?? own(event['observation'], 'output')
    return writer.results([
      { ...base, content: Array.isArray(content) ? textsOf(content).join('\n') : asText(content ?? '') },
    ])
  }
  const content = textIn(event, 'error') ?? textIn(event, 'rejection_reason') ?? ''
  return writer.results([{ ...base, content, failed: true }])
}

function check(file: SessionFile): readonly FileFault[] {
  const leaf = textIn(parsed(file.input.bytes), 'leaf_event_id')
  const ids = new Set(file.records.map(({ value }) => own(value, 'id')))
  const faults: FileFault[] = []
  if (leaf !== undefined && !ids.has(leaf))
    faults.push(
      errorIn(
        {},
        'stale-head',
        `leaf_event_id names ${leaf}, which is not an event of this folder; set it to the last event.`,
      ),
    )
  const actionsBy = new Map(
    file.records
      .filter(({ type }) => type === 'ActionEvent')
      .map(({ value }) => [own(value, 'tool_call_id'), own(value, 'id')]),
  )
  for (const record of file.records) {
    const parent = textIn(record.value, 'parent_id')
    if (parent === undefined) continue
    if (!ids.has(parent)) faults.push(danglingParent(record, parent))
    const action = actionsBy.get(own(record.value, 'tool_call_id'))
    if (record.type !== 'AgentErrorEvent' || action === undefined || parent === action) continue
    if (!leadsTo(file.records, parent, action)) faults.push(errorOnOtherBranch(record, action))
  }
  return faults
}

function danglingParent(record: FileRecord, parent: string): FileFault {
  const message = `The parent ${parent} of this event is not in the folder: events before it are not loaded.`
  return errorIn(record, 'dangling-parent', message)
}

function errorOnOtherBranch(record: FileRecord, action: unknown): FileFault {
  const [call, id] = [textIn(record.value, 'tool_call_id'), asText(own(record.value, 'id'))]
  const message = `The error of the call ${call} has another event as its parent, so call and error are on different branches. Set parent_id to ${asText(action)} and leaf_event_id to ${id}.`
  return errorIn(record, 'stale-head', message)
}

/** Whether the branch of the event `from` has the event `to`. */
function leadsTo(records: readonly FileRecord[], from: string, to: unknown): boolean {
  if (!records.some(({ value }) => own(value, 'id') === from)) return false
  return [...chainOf(records, from)].some(({ value }) => own(value, 'id') === to)
}

export const openHands = defineFormat({
  id: 'openhands',
  title: 'OpenHands',
  storage: 'folder',
  recognize: (input) =>
    fileName(input.path) === 'base_state.json'
      ? 1
      : [...(input.siblings?.keys() ?? [])].some((path) => /event-\d+-/.test(path))
        ? 0.9
        : 0,
  read,
  check,
})
