/** Rows of opencode's tables, from the database or from the files that versions before 1.2 wrote. */
import { isObject, type JsonObject } from '../../core/index.ts'
import { numberIn, slashed, textIn } from '../json-values.ts'
import { parsed } from '../lines.ts'
import { byColumns, jsonColumn, rowsOf } from '../table-rows.ts'
import type { FileInput } from '../types.ts'

export interface OpencodeRows {
  readonly sessions: readonly JsonObject[]
  readonly messages: readonly JsonObject[]
  readonly parts: readonly JsonObject[]
}

export function opencodeRows(input: FileInput): OpencodeRows {
  const rows = input.tables ? fromTables(input) : fromFiles(input)
  return {
    sessions: rows.sessions,
    messages: rows.messages.toSorted(byColumns('time_created', 'id')),
    parts: rows.parts.toSorted(byColumns('id')),
  }
}

function fromTables(input: FileInput): OpencodeRows {
  return { sessions: rowsOf(input, 'session'), messages: rowsOf(input, 'message'), parts: rowsOf(input, 'part') }
}

/** The file of the session; messages and parts are `message/<session>/<id>.json` and `part/<message>/<id>.json`. */
function fromFiles(input: FileInput): OpencodeRows {
  const session = parsed(input.bytes)
  const messages: JsonObject[] = []
  const parts: JsonObject[] = []
  for (const [path, bytes] of input.siblings ?? []) {
    const kind = /(?:^|\/)(message|part)\/([^/]+)\/([^/]+)\.json$/.exec(slashed(path))
    const data = kind ? parsed(bytes) : undefined
    if (!kind || !isObject(data)) continue
    const [, table, owner, id] = kind
    const row = { id, data, time_created: numberIn(data, 'time', 'created') ?? 0 }
    if (table === 'message') messages.push({ ...row, session_id: owner })
    else parts.push({ ...row, message_id: owner, session_id: textIn(data, 'sessionID') })
  }
  return { sessions: isObject(session) ? [session] : [], messages, parts }
}

export function dataOf(row: JsonObject): unknown {
  return jsonColumn(row, 'data')
}
