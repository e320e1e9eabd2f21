/**
 * The negative control: positions from a database-wide sequence, as many a store has them. A reader passes over what is
 * not committed yet.
 */
import { load } from './drivers.ts'
import type { SharedLog } from './writer.ts'

export async function sequenceLog(address: string): Promise<SharedLog> {
  const { Pool } = load<typeof import('pg')>('pg')
  const pool = new Pool({ connectionString: address, max: 1 })
  await pool.query(`DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(4711);
    CREATE TABLE IF NOT EXISTS control_log (seq bigserial PRIMARY KEY, op text NOT NULL);
  END $$`)
  const all = async () => {
    const { rows } = await pool.query('SELECT seq, op FROM control_log ORDER BY seq')
    return rows.map((row) => [Number(row.seq), String(row.op)] as const)
  }
  return {
    append: async (op) => {
      // A transaction that stays open for a moment, as any handler's does that has more to do.
      const { rows } = await pool.query(
        `WITH added AS (INSERT INTO control_log (op) VALUES ($1) RETURNING seq), rest AS (SELECT pg_sleep(random() * 0.003))
         SELECT added.seq FROM added, rest`,
        [op],
      )
      const seq = Number(rows[0].seq)
      return { first: seq, last: seq }
    },
    look: async () => {
      const tail = await all()
      return { head: tail.at(-1)?.[0] ?? 0, tail }
    },
    all,
    close: () => pool.end(),
  }
}
