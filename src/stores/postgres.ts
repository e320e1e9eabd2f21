/**
 * Sessions in PostgreSQL, shared by many processes. One statement and one round trip for each append: the head row
 * orders the writers. Takes a handle (a `pg` Pool, a PGlite) and imports none.
 */
import { SutureError } from '../core/index.ts'
import { checkOptions, checkValue } from '../core/options.ts'
import {
  type Answer,
  type Base,
  type Batch,
  EMPTY_HEAD,
  type Entry,
  type Head,
  type Lineage,
  type Store,
} from '../session/index.ts'
import { sha256 } from './hash.ts'
import { POSTGRES_OPTIONS } from './options.ts'
import { isHandle, isPg, isServerError, type PostgresHandle, query, type Row } from './postgres-handle.ts'
import {
  ADD_HEAD,
  APPEND_MANY,
  APPEND_ONE,
  BEGIN,
  BRANCHES,
  CLAIM,
  FIND,
  HEAD,
  LIST,
  MIGRATE,
  PURGE,
  READ,
  RELEASE,
  VERSION,
  VERSIONS,
} from './postgres-sql.ts'
import {
  checkBatch,
  codeOf,
  failed,
  hashAt,
  heldByOther,
  newer,
  nothingWritten,
  unknownOutcome,
} from './store-errors.ts'

export type { PostgresHandle } from './postgres-handle.ts'

/** Options of a store in PostgreSQL. */
export interface PostgresOptions {
  /**
   * Named statements, which the server parses once per connection. Default: true for handles of `pg`. Pass false with a
   * pooler that shares connections by transaction.
   */
  readonly prepare?: boolean
}

/** Migrates the database and returns the store. */
export async function postgresStore(handle: PostgresHandle, options: PostgresOptions = {}): Promise<Store> {
  checkValue('The handle', handle, isHandle, 'Pass a Pool of pg or a PGlite, or use openStore with an address.')
  checkOptions('postgresStore', options, POSTGRES_OPTIONS)
  const store = new PostgresStore(handle, options)
  await store.setUp()
  return store
}

class PostgresStore implements Store {
  readonly name = 'postgres'
  readonly sha256 = sha256
  private readonly handle: PostgresHandle
  private readonly prepare: boolean

  constructor(handle: PostgresHandle, { prepare = isPg(handle) }: PostgresOptions) {
    this.handle = handle
    this.prepare = prepare
  }

  async setUp(): Promise<void> {
    await this.ask('migrate', MIGRATE)
    const [row] = await this.ask('migrate', VERSION)
    this.checkVersion(row)
  }

  async head(session: string): Promise<Head> {
    return (await this.knownHead(session)) ?? EMPTY_HEAD
  }

  async append(session: string, batch: Batch): Promise<Answer> {
    if (batch.drafts.length === 0) return nothingWritten(await this.head(session))
    if (batch.base) return this.begin(session, batch, batch.base)
    for (let attempt = 1; ; attempt++) {
      const [row] = await this.write(session, batch)
      if (row) return answerOf(row, batch.drafts.length)
      const known = await this.find(session, batch.op)
      if (known) return known
      await this.explain(session, batch, attempt)
    }
  }

  private async begin(session: string, batch: Batch, base: Base): Promise<Answer> {
    const { op, drafts } = batch
    const latest = drafts.findLastIndex(({ kind }) => kind === 'snapshot') + 1
    const values = [session, base.session, base.head, op, latest, ...columnsOf(drafts)]
    const [row] = await this.sent(op, BEGIN, values)
    if (row) return answerOf(row, drafts.length)
    const known = (await this.find(session, op)) ?? (await this.find(base.session, op))
    if (known && (known.last <= base.head || (await this.baseOf(session)))) return known
    checkBatch(session, await this.head(session), batch)
    hashAt(base, await this.read(base.session, base.head, base.head))
    throw heldByOther(session, 'another')
  }

  async find(session: string, op: string): Promise<Answer | undefined> {
    const [row] = await this.ask('read', FIND, [session, op])
    return row && { first: Number(row['first']), last: Number(row['last']), hash: String(row['hash']), again: true }
  }

  async read(session: string, from: number, to: number): Promise<readonly Entry[]> {
    const rows = await this.ask('read', READ, [session, from, to])
    const own = rows.map((row) => ({ ...row, seq: Number(row['seq']), part: Number(row['part']) }) as unknown as Entry)
    const base = own[0]?.seq === from ? undefined : await this.baseOf(session)
    if (!base || from > base.head) return own
    return [...(await this.read(base.session, from, Math.min(to, base.head))), ...own]
  }

  async lineage(session: string): Promise<Lineage> {
    const [base, rows] = [await this.baseOf(session), await this.ask('read', BRANCHES, [session])]
    return { ...(base ? { base } : {}), branches: rows.map((row) => String(row['session'])) }
  }

  private async baseOf(session: string): Promise<Base | undefined> {
    const [row] = await this.ask('read', HEAD, [session])
    const parent = row?.['parent'] ?? null
    return parent === null ? undefined : { session: String(parent), head: Number(row!['base']) }
  }

  async claim(session: string, owner: string, { takeOver }: { readonly takeOver: boolean }): Promise<Head> {
    const [row] = await this.ask('claim', CLAIM, [session, owner, takeOver])
    if (row) return headOf(row)
    const { owner: holder } = await this.head(session)
    throw heldByOther(session, holder ?? 'another')
  }

  async release(session: string, epoch: number): Promise<void> {
    await this.changed('release', RELEASE, [session, epoch])
  }

  async purge(session: string): Promise<void> {
    await this.changed('purge', PURGE, [session])
  }

  async list(after: string, limit: number): Promise<readonly string[]> {
    const rows = await this.changed('list', LIST, [after, limit])
    return rows.map((row) => String(row['session']))
  }

  /** Closes the handle, too. */
  async close(): Promise<void> {
    if (this.handle.end) await this.handle.end()
    else await this.handle.close?.()
  }

  private async write(session: string, batch: Batch): Promise<readonly Row[]> {
    const { op, drafts, expectedHead, epoch } = batch
    const place = [
      expectedHead === 'any' ? null : expectedHead,
      epoch ?? null,
      drafts.findLastIndex(({ kind }) => kind === 'snapshot') + 1,
    ]
    const columns = columnsOf(drafts)
    const isOne = drafts.length === 1
    const values = [session, op, ...place, ...(isOne ? columns.map(([only]) => only) : columns)]
    return this.sent(op, isOne ? APPEND_ONE : APPEND_MANY, values)
  }

  private async sent(op: string, text: string, values: unknown[]): Promise<readonly Row[]> {
    try {
      return await this.query(text, values)
    } catch (error) {
      // The same operation was stored meanwhile, or the database asks for a retry: nothing was written.
      if (['23505', '40001', '40P01'].includes(codeOf(error) ?? '')) return []
      if (isServerError(error)) return this.fail('append', error)
      throw unknownOutcome(this.name, op, error)
    }
  }

  /** Why nothing was written: throws the reason, or creates the head of a new session. */
  private async explain(session: string, batch: Batch, attempt: number): Promise<void> {
    const known = await this.knownHead(session)
    checkBatch(session, known ?? EMPTY_HEAD, batch)
    if (!known) await this.ask('append', ADD_HEAD, [session])
    if (attempt >= 20)
      throw new SutureError(
        'store-busy',
        `postgres could not append: other writers were first in ${attempt} attempts. Nothing was written; try again.`,
      )
  }

  private async knownHead(session: string): Promise<Head | undefined> {
    const [row] = await this.ask('read', HEAD, [session])
    this.checkVersion(row)
    return row && row['head'] !== null ? headOf(row) : undefined
  }

  /** Without a row there was nothing to do, or the schema is newer and nothing was done. */
  private async changed(what: string, text: string, values: unknown[]): Promise<readonly Row[]> {
    const rows = await this.ask(what, text, values)
    if (rows.length === 0) this.checkVersion((await this.ask(what, VERSION))[0])
    return rows
  }

  private checkVersion(row: Row | undefined, cause?: unknown): void {
    const version = Number(row?.['version'] ?? 0)
    if (version > VERSIONS) throw newer(this.name, version, VERSIONS, cause)
  }

  /** A statement can fail because a newer version has changed the tables since this process started. */
  private async fail(what: string, error: unknown): Promise<never> {
    if (/^(42|0A)/.test(codeOf(error) ?? ''))
      this.checkVersion((await this.query(VERSION, []).catch(() => []))[0], error)
    throw failed(this.name, what, error)
  }

  private async ask(what: string, text: string, values: unknown[] = []): Promise<readonly Row[]> {
    try {
      return await this.query(text, values)
    } catch (error) {
      return this.fail(what, error)
    }
  }

  private query(text: string, values: unknown[]): Promise<readonly Row[]> {
    return query(this.handle, this.prepare, text, values)
  }
}

function columnsOf(drafts: Batch['drafts']) {
  return (['kind', 'body', 'digest'] as const).map((name) => drafts.map((draft) => draft[name]))
}

function answerOf({ head, hash }: Row, count: number): Answer {
  const last = Number(head)
  return { first: last - count + 1, last, hash: String(hash), again: false }
}

function headOf(row: Row): Head {
  return {
    head: Number(row['head']),
    hash: String(row['hash']),
    snapshot: Number(row['snapshot']),
    epoch: Number(row['epoch']),
    owner: (row['owner'] as string | null) ?? null,
  }
}
