/**
 * The statements of the PostgreSQL store.
 * Bodies are `text`: `jsonb` rejects some characters, drops duplicate keys and reorders the rest.
 */

const TABLES = `CREATE TABLE suture_head (
      session text PRIMARY KEY, head bigint NOT NULL, hash text NOT NULL, prev text NOT NULL,
      snapshot bigint NOT NULL, epoch bigint NOT NULL, owner text, parent text, base bigint
    );
    CREATE INDEX suture_head_parent ON suture_head (parent) WHERE parent IS NOT NULL;
    CREATE TABLE suture_record (
      session text NOT NULL, seq bigint NOT NULL, kind text NOT NULL, op text NOT NULL, part integer NOT NULL,
      body text NOT NULL, hash text NOT NULL, PRIMARY KEY (session, seq)
    );
    CREATE UNIQUE INDEX suture_record_op ON suture_record (session, op) WHERE part = 0;
    CREATE FUNCTION suture_chain(before text, digests text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $chain$
      DECLARE
        hash text := before;
        digest text;
        hashes text[] := '{}';
      BEGIN
        FOREACH digest IN ARRAY digests LOOP
          hash := encode(sha256((hash || digest)::bytea), 'hex');
          hashes := hashes || hash;
        END LOOP;
        RETURN hashes;
      END $chain$;
    CREATE FUNCTION suture_log(of text, upto bigint) RETURNS TABLE (session text, last bigint) LANGUAGE sql STABLE AS $log$
      WITH RECURSIVE log(session, last) AS (
        SELECT of, upto
        UNION ALL
        SELECT head.parent, least(head.base, log.last) FROM log JOIN suture_head AS head USING (session)
        WHERE head.parent IS NOT NULL
      ) SELECT session, last FROM log $log$;
    CREATE FUNCTION suture_knows(of text, upto bigint, known text) RETURNS boolean LANGUAGE sql STABLE AS $knows$
      SELECT EXISTS (SELECT 1 FROM suture_log(of, upto) AS log JOIN suture_record AS record
        ON record.session = log.session AND record.seq <= log.last WHERE record.op = known AND record.part = 0) $knows$;
    CREATE FUNCTION suture_begin(branch text, of text, at bigint, by_op text, latest bigint, kinds text[], bodies text[], digests text[])
      RETURNS TABLE (head bigint, hash text) LANGUAGE plpgsql AS $begin$
      DECLARE
        parent suture_head;
        hashes text[];
        before text := '';
        count integer := cardinality(digests);
      BEGIN
        SELECT * INTO parent FROM suture_head WHERE session = of FOR SHARE;
        IF NOT FOUND OR suture_knows(of, at, by_op) THEN RETURN; END IF;
        IF at > 0 THEN
          SELECT record.hash INTO before FROM suture_log(of, at) AS log JOIN suture_record AS record
            ON record.session = log.session AND record.seq = at AND record.seq <= log.last;
          IF NOT FOUND THEN RETURN; END IF;
        END IF;
        hashes := suture_chain(before, digests);
        INSERT INTO suture_head (session, head, hash, prev, snapshot, epoch, parent, base)
          VALUES (branch, at + count, hashes[count], coalesce(hashes[count - 1], before),
            CASE WHEN latest > 0 THEN at + latest WHEN parent.snapshot <= at THEN parent.snapshot ELSE 0 END, 0, of, at)
          ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN RETURN; END IF;
        INSERT INTO "suture_record" (session, seq, kind, op, part, body, hash)
          SELECT branch, at + draft.place, draft.kind, by_op, draft.place - 1, draft.body, draft.hash
          FROM unnest(kinds, bodies, hashes) WITH ORDINALITY AS draft(kind, body, hash, place);
        RETURN QUERY SELECT at + count, hashes[count];
      END $begin$;
    CREATE FUNCTION suture_purge(gone text) RETURNS void LANGUAGE plpgsql AS $purge$
      DECLARE
        own suture_head;
        heir suture_head;
      BEGIN
        SELECT * INTO own FROM suture_head WHERE session = gone FOR UPDATE;
        UPDATE suture_head SET parent = own.parent, base = CASE WHEN own.parent IS NOT NULL THEN base END
          WHERE parent = gone AND base <= coalesce(own.base, 0);
        SELECT * INTO heir FROM suture_head WHERE parent = gone ORDER BY base DESC, session LIMIT 1 FOR UPDATE;
        IF FOUND THEN
          UPDATE suture_record SET session = heir.session WHERE session = gone AND seq <= heir.base;
          UPDATE suture_head SET parent = heir.session WHERE parent = gone AND session <> heir.session;
          UPDATE suture_head SET parent = own.parent, base = own.base WHERE session = heir.session;
        END IF;
        DELETE FROM suture_record WHERE session = gone;
        DELETE FROM suture_head WHERE session = gone;
      END $purge$;`

/** Statements that take a database from each schema to the next one, beginning with schema 1. */
const STEPS: readonly string[] = []

const SCHEMAS = [TABLES, ...STEPS]

/**
 * The schema that this version writes. An older process must neither read nor write a newer one: every statement that
 * writes looks first.
 */
export const VERSIONS = SCHEMAS.length

/** True while no newer version has migrated the database. Read once for a statement, from one page. */
const CURRENT = `NOT EXISTS (SELECT 1 FROM suture_schema WHERE version > ${VERSIONS})`

/** The advisory lock that migrations take. */
export const LOCK = '8031923749181'

/**
 * One statement, so that it is one transaction on one connection of a pool. Of several processes one creates the
 * schema; the others wait and find it done.
 */
export const MIGRATE = `DO $$
DECLARE found integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(${LOCK});
  IF to_regclass('suture_schema') IS NULL THEN
    CREATE TABLE suture_schema (version integer NOT NULL);
  END IF;
  SELECT coalesce(max(version), 0) INTO found FROM suture_schema;
${SCHEMAS.map(
  (step, i) => `  IF found < ${i + 1} THEN
    ${step}
    INSERT INTO suture_schema (version) VALUES (${i + 1});
  END IF;`,
).join('\n')}
END $$`

export const VERSION = 'SELECT coalesce(max(version), 0) AS version FROM suture_schema'

/** One row always; without a head where the session is new. */
export const HEAD = `SELECT known.version, head, hash, snapshot, epoch, owner, parent, base
  FROM (SELECT max(version) AS version FROM suture_schema) AS known LEFT JOIN suture_head ON session = $1`

export const ADD_HEAD = `INSERT INTO suture_head (session, head, hash, prev, snapshot, epoch)
  SELECT $1::text, 0, '', '', 0, 0 WHERE ${CURRENT} ON CONFLICT DO NOTHING`

/** A branch with its first records. No row: the session exists, or there is nothing to branch off from. */
export const BEGIN = `SELECT head, hash FROM suture_begin($1, $2, $3, $4, $5, $6::text[], $7::text[], $8::text[]) WHERE ${CURRENT}`

/** Waits for the lock of the head row and then uses its current values: order without a retry. */
function bump(count: string, hash: string): string {
  return `UPDATE suture_head SET head = head + ${count}, prev = hash, hash = ${hash},
      snapshot = CASE WHEN $5::bigint > 0 THEN head + $5::bigint ELSE snapshot END
    WHERE session = $1 AND ${CURRENT} AND ($3::bigint IS NULL OR head = $3::bigint)
      AND (CASE WHEN $4::bigint IS NULL THEN owner IS NULL ELSE epoch = $4::bigint AND owner IS NOT NULL END)
      AND NOT EXISTS (SELECT 1 FROM suture_record WHERE session = $1 AND op = $2 AND part = 0)
      AND (parent IS NULL OR NOT suture_knows(parent, base, $2::text))
    RETURNING head, prev, hash`
}

export const APPEND_ONE = `WITH bump AS (${bump('1', `encode(sha256((hash || $8::text)::bytea), 'hex')`)}),
  added AS (INSERT INTO suture_record (session, seq, kind, op, part, body, hash) SELECT $1, head, $6, $2, 0, $7, hash FROM bump)
  SELECT head, hash FROM bump`

/**
 * The chain is a function of the row, not a query: a writer that had to wait for the row computes it again from the new
 * values, which PostgreSQL does for expressions but not for recursive queries.
 */
export const APPEND_MANY = `WITH bump AS (${bump('cardinality($8::text[])', '(suture_chain(hash, $8::text[]))[cardinality($8::text[])]')}),
  added AS (
    INSERT INTO suture_record (session, seq, kind, op, part, body, hash)
    SELECT $1, bump.head - cardinality($8::text[]) + draft.at, draft.kind, $2, draft.at - 1, draft.body, draft.hash
    FROM bump, LATERAL unnest($6::text[], $7::text[], suture_chain(bump.prev, $8::text[])) WITH ORDINALITY AS draft(kind, body, hash, at)
  )
  SELECT head, hash FROM bump`

/** After every position. */
const ALL = '9223372036854775807'

/** The records of an operation are consecutive: the first record of the next one ends it. */
export const FIND = `SELECT first.seq AS first, final.seq AS last, final.hash
  FROM (
    SELECT record.session, seq, log.last FROM suture_log($1::text, ${ALL}) AS log JOIN suture_record AS record
      ON record.session = log.session AND record.seq <= log.last WHERE op = $2 AND part = 0
  ) AS first,
  LATERAL (
    SELECT seq, hash FROM suture_record WHERE session = first.session AND seq >= first.seq AND seq <= first.last
      AND seq < coalesce((SELECT min(seq) FROM suture_record WHERE session = first.session AND seq > first.seq AND part = 0), ${ALL})
    ORDER BY seq DESC LIMIT 1
  ) AS final`

export const READ =
  'SELECT seq, kind, op, part, body, hash FROM suture_record WHERE session = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq'

export const BRANCHES = 'SELECT session FROM suture_head WHERE parent = $1 ORDER BY session COLLATE "C"'

export const CLAIM = `INSERT INTO suture_head (session, head, hash, prev, snapshot, epoch, owner)
  SELECT $1::text, 0, '', '', 0, 1, $2::text WHERE ${CURRENT}
  ON CONFLICT (session) DO UPDATE SET epoch = suture_head.epoch + 1, owner = $2
  WHERE suture_head.owner IS NULL OR suture_head.owner = $2 OR $3
  RETURNING head, hash, snapshot, epoch, owner`

export const RELEASE = `UPDATE suture_head SET owner = NULL WHERE session = $1 AND epoch = $2 AND ${CURRENT} RETURNING session`

export const PURGE = `SELECT suture_purge($1) WHERE ${CURRENT}`

export const LIST = `SELECT session FROM suture_head WHERE ${CURRENT} AND session COLLATE "C" > $1 ORDER BY session COLLATE "C" LIMIT $2`
