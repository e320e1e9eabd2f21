/**
 * The statements of the SQLite store.
 * A session's places stand side by side and its head right after them, on the same page: an append writes that page and the record's own.
 */

/** Where a session's head stands: behind every position there can be. */
export const END = Number.MAX_SAFE_INTEGER

/** Operations are looked up among the latest places, up to so many, and before those in a table of their own: it is written once for all of them. */
export const GROUP = 32

/** The last position whose operation is in that table, by the session's head. */
export function named(head: number): number {
  return head - (head % GROUP)
}

export const HEAD = `SELECT record AS head, hash, snapshot, epoch, owner FROM suture_place WHERE session = ? AND seq = ${END}`

/** Whether anything at all is known of a session. */
export const TRACE = `SELECT session FROM suture_session WHERE session = ?
  UNION ALL SELECT session FROM suture_place WHERE session = ? LIMIT 1`

export const KNOWN = `SELECT seq FROM suture_op WHERE session = ? AND op = ?
  UNION ALL SELECT seq FROM suture_place WHERE session = ? AND seq > ? AND seq < ${END} AND op = ? LIMIT 1`

/** An operation's records stand together: the first of the next one ends it. */
export const NEXT = `SELECT seq FROM suture_place WHERE session = ? AND seq > ? AND op IS NOT NULL ORDER BY seq LIMIT 1`

/** The places lead: a record is where its place says, whatever it says itself. */
export const READ = `SELECT place.seq, record.kind, record.op, record.part, record.body, record.hash
  FROM suture_place AS place CROSS JOIN suture_record AS record ON record.id = place.record
  WHERE place.session = ? AND place.seq BETWEEN ? AND ? ORDER BY place.seq`

export const ADD_RECORD =
  'INSERT INTO suture_record (session, seq, kind, op, part, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)'

export const ADD_PLACE = 'INSERT INTO suture_place (session, seq, record, op) VALUES (?, ?, last_insert_rowid(), ?)'

export const ADD_OPS = `INSERT INTO suture_op (session, op, seq)
  SELECT session, op, seq FROM suture_place WHERE session = ? AND seq > ? AND seq <= ? AND op IS NOT NULL`

export const ADD_SESSION = 'INSERT INTO suture_session (session) VALUES (?)'

export const ADD_HEAD = `INSERT INTO suture_place (session, seq, record, hash, snapshot, epoch, owner) VALUES (?, ${END}, ?, ?, ?, ?, ?)`

export const MOVE_HEAD = `UPDATE suture_place SET record = ?, hash = ?, snapshot = ? WHERE session = ? AND seq = ${END}`

export const HOLD = `UPDATE suture_place SET epoch = ?, owner = ? WHERE session = ? AND seq = ${END}`

export const RELEASE = `UPDATE suture_place SET owner = NULL WHERE session = ? AND seq = ${END} AND epoch = ?`

export const LIST = 'SELECT session FROM suture_session WHERE session > ? ORDER BY session LIMIT ?'

/** In this order: the records are found by their places. */
export const PURGE = [
  `DELETE FROM suture_record WHERE id IN (SELECT record FROM suture_place WHERE session = ? AND seq < ${END})`,
  'DELETE FROM suture_place WHERE session = ?',
  'DELETE FROM suture_op WHERE session = ?',
  'DELETE FROM suture_session WHERE session = ?',
] as const
