/**
 * The statements of the SQLite store. The positions of a session are next to each other, followed by its head, on the
 * same page: an append writes that page and the record's own (docs/decisions/0018).
 */

/** The position of a session's head: after every possible position. */
export const END = Number.MAX_SAFE_INTEGER

/** Operations are searched among this many latest positions; before, in `suture_op`, which is written in groups. */
export const GROUP = 32

/** The last position whose operation is in `suture_op`, for a session with this head. */
export function lastInOpTable(head: number): number {
  return head - (head % GROUP)
}

export const HEAD = `SELECT record AS head, hash, snapshot, epoch, owner FROM suture_place WHERE session = ? AND seq = ${END}`

/** Whether anything of a session is stored. */
export const TRACE = `SELECT session FROM suture_session WHERE session = ?
  UNION ALL SELECT session FROM suture_place WHERE session = ? LIMIT 1`

/** Where an operation begins. */
export const KNOWN = `SELECT seq FROM suture_op WHERE session = ? AND op = ?
  UNION ALL SELECT seq FROM suture_place WHERE session = ? AND seq > ? AND seq < ${END} AND op = ? LIMIT 1`

/** The records of an operation are consecutive: the first record of the next one ends it. */
export const NEXT = `SELECT seq FROM suture_place WHERE session = ? AND seq > ? AND op IS NOT NULL ORDER BY seq LIMIT 1`

/** The position row decides where a record is, not the record itself. */
export const READ = `SELECT place.seq, record.kind, record.op, record.part, record.body, record.hash
  FROM suture_place AS place CROSS JOIN suture_record AS record ON record.id = place.record
  WHERE place.session = ? AND place.seq BETWEEN ? AND ? ORDER BY place.seq`

export const ADD_RECORD =
  'INSERT INTO suture_record (session, seq, kind, op, part, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)'

export const ADD_PLACE = 'INSERT INTO suture_place (session, seq, record, op) VALUES (?, ?, last_insert_rowid(), ?)'

export const ADD_OPS = `INSERT INTO suture_op (session, op, seq)
  SELECT session, op, seq FROM suture_place WHERE session = ? AND seq > ? AND seq <= ? AND op IS NOT NULL`

export const ADD_SESSION = 'INSERT INTO suture_session (session) VALUES (?)'

/** Where a session branches off. */
export const BASE =
  'SELECT parent AS session, base AS head FROM suture_session WHERE session = ? AND parent IS NOT NULL'

export const BRANCHES = 'SELECT session, base AS head FROM suture_session WHERE parent = ? ORDER BY session'

export const SET_BASE = 'UPDATE suture_session SET parent = ?, base = ? WHERE session = ?'

/** Give the records of a session up to a position to a branch. */
export const INHERIT = [
  'UPDATE suture_record SET session = ? WHERE id IN (SELECT record FROM suture_place WHERE session = ? AND seq <= ?)',
  'UPDATE suture_place SET session = ? WHERE session = ? AND seq <= ?',
] as const

export const INHERIT_OPS = `INSERT INTO suture_op (session, op, seq)
  SELECT session, op, seq FROM suture_place WHERE session = ? AND seq <= ? AND op IS NOT NULL`

export const ADD_HEAD = `INSERT INTO suture_place (session, seq, record, hash, snapshot, epoch, owner) VALUES (?, ${END}, ?, ?, ?, ?, ?)`

export const MOVE_HEAD = `UPDATE suture_place SET record = ?, hash = ?, snapshot = ? WHERE session = ? AND seq = ${END}`

/** Sets the owner of the lease. */
export const HOLD = `UPDATE suture_place SET epoch = ?, owner = ? WHERE session = ? AND seq = ${END}`

export const RELEASE = `UPDATE suture_place SET owner = NULL WHERE session = ? AND seq = ${END} AND epoch = ?`

export const LIST = 'SELECT session FROM suture_session WHERE session > ? ORDER BY session LIMIT ?'

/** In this order: records are found by their positions. */
export const PURGE = [
  `DELETE FROM suture_record WHERE id IN (SELECT record FROM suture_place WHERE session = ? AND seq < ${END})`,
  'DELETE FROM suture_place WHERE session = ?',
  'DELETE FROM suture_op WHERE session = ?',
  'DELETE FROM suture_session WHERE session = ?',
] as const
