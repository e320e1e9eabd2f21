/**
 * Sessions in an SQLite file: one writer at a time across processes, synced to the disk by default.
 * Takes an open handle (`node:sqlite`, `better-sqlite3`) and imports none.
 */
import {
  type Answer,
  type Base,
  type Batch,
  chain,
  EMPTY_HEAD,
  type Entry,
  type Head,
  type Lineage,
  type Store,
} from '../session/index.ts'
import { sha256 } from './hash.ts'
import { heirsOf } from './heirs.ts'
import { withBusyRetry } from './sqlite-busy-retry.ts'
import { missingHead } from './sqlite-errors.ts'
import {
  checkJournal,
  checkSqlite,
  fileOf,
  prepareFile,
  type SqliteHandle,
  type SqliteOptions,
  type SqliteStatement,
} from './sqlite-file.ts'
import { FileIdentity } from './sqlite-identity.ts'
import { headIn, plain } from './sqlite-row.ts'
import { checkedVersion, migrate, VERSION } from './sqlite-schema.ts'
import * as texts from './sqlite-sql.ts'
import { inTransaction } from './sqlite-transaction.ts'
import { checkBatch, claimed, hashAt, nothingWritten } from './store-errors.ts'

export type { SqliteHandle, SqliteOptions, SqliteStatement } from './sqlite-file.ts'

/** Sets up and migrates the file. Throws `store-unsafe`, `store-newer`, `store-busy` or `store-failed`. */
export async function sqliteStore(handle: SqliteHandle, options: SqliteOptions = {}): Promise<Store> {
  checkSqlite(handle, options)
  const store = new SqliteStore(handle, options)
  await store.setUp()
  return store
}

class SqliteStore implements Store {
  readonly name = 'sqlite'
  readonly sha256 = sha256
  private readonly db: SqliteHandle
  private readonly options: SqliteOptions
  private queue: Promise<unknown> = Promise.resolve()
  private readonly statements = new Map<string, SqliteStatement>()
  private identity = new FileIdentity('')

  constructor(db: SqliteHandle, options: SqliteOptions) {
    this.db = db
    this.options = options
  }

  async setUp(): Promise<void> {
    await this.patiently('set the file up', () => prepareFile(this.db, this.options))
    await this.patiently('migrate', () =>
      this.inTransaction('', () => {
        checkJournal(this.db, this.options)
        migrate(this.db)
      }),
    )
    if (this.options.damagedJournal === 'accept')
      await this.patiently('write the journal back', () => this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    this.identity = await this.patiently('look at the file', () => new FileIdentity(fileOf(this.db)))
  }

  head(session: string): Promise<Head> {
    return this.patiently('read', () => {
      this.checkVersion()
      return this.headOf(session)
    })
  }

  append(session: string, batch: Batch): Promise<Answer> {
    return this.patiently('append', () =>
      batch.drafts.length === 0
        ? nothingWritten(this.headOf(session))
        : this.write(batch.op, () => this.insert(session, batch)),
    )
  }

  find(session: string, op: string): Promise<Answer | undefined> {
    return this.patiently('read', () => this.known(session, this.headOf(session).head, op))
  }

  read(session: string, from: number, to: number): Promise<readonly Entry[]> {
    return this.patiently('read', () => this.entries(session, from, Math.min(to, texts.END - 1)))
  }

  lineage(session: string): Promise<Lineage> {
    return this.patiently('read', () => {
      const base = this.baseOf(session)
      return { ...(base ? { base } : {}), branches: this.branchesOf(session).map((one) => one.session) }
    })
  }

  claim(session: string, owner: string, { takeOver }: { readonly takeOver: boolean }): Promise<Head> {
    const claim = () => {
      const head = this.headOf(session)
      const now = claimed(session, head, owner, takeOver)
      if (head === EMPTY_HEAD) this.addHead(session, now)
      else this.sql(texts.HOLD).run(now.epoch, owner, session)
      return now
    }
    return this.patiently('claim', () => this.write('', claim))
  }

  release(session: string, epoch: number): Promise<void> {
    return this.patiently('release', () => {
      this.checkVersion()
      this.sql(texts.RELEASE).run(session, epoch)
    })
  }

  purge(session: string): Promise<void> {
    const purged = () => {
      const { heir, bases } = heirsOf(this.baseOf(session), this.branchesOf(session))
      if (heir) this.inherit(heir, session)
      for (const [id, base] of bases) this.sql(texts.SET_BASE).run(base?.session ?? null, base?.head ?? null, id)
      for (const text of texts.PURGE) this.sql(text).run(session)
    }
    return this.patiently('purge', () => this.write('', purged))
  }

  list(after: string, limit: number): Promise<readonly string[]> {
    return this.patiently('list', () => {
      this.checkVersion()
      const rows = this.sql(texts.LIST).all(after, limit) as { session: string }[]
      return rows.map((row) => row.session)
    })
  }

  async close(): Promise<void> {
    await this.queue
    this.statements.clear()
    this.db.close()
  }

  private headOf(session: string): Head {
    const row = this.sql(texts.HEAD).get(session)
    const head = row ? headIn(row) : undefined
    if (head) return head
    if (!row && !this.sql(texts.TRACE).get(session, session)) return EMPTY_HEAD
    // The file is damaged. As a new session it would be silently empty.
    throw missingHead(session)
  }

  /** The records of a session, and before them those that it shares. */
  private entries(session: string, from: number, to: number): readonly Entry[] {
    const own = this.sql(texts.READ).all(session, from, to).map(plain) as Entry[]
    const base = own[0]?.seq === from ? undefined : this.baseOf(session)
    if (!base || from > base.head) return own
    return [...this.entries(base.session, from, Math.min(to, base.head)), ...own]
  }

  private baseOf(session: string): Base | undefined {
    const row = this.sql(texts.BASE).get(session)
    return row ? (plain(row) as Base) : undefined
  }

  private branchesOf(session: string): readonly Base[] {
    return this.sql(texts.BRANCHES).all(session).map(plain) as Base[]
  }

  /** Where an operation is among the records up to this position, also the shared ones. */
  private known(session: string, head: number, op: string): Answer | undefined {
    const found = this.sql(texts.KNOWN).get(session, op, session, texts.lastInOpTable(head), op) as
      | { seq: number }
      | undefined
    if (found && found.seq > head) return undefined
    const base = found ? undefined : this.baseOf(session)
    if (!found) return base && this.known(base.session, base.head, op)
    const end = (this.sql(texts.NEXT).get(session, found.seq) as { seq: number } | undefined)?.seq
    const last = end === undefined ? head : end - 1
    const entry = this.sql(texts.READ).get(session, last, last) as Entry | undefined
    return { first: found.seq, last, hash: entry?.hash ?? '', again: true }
  }

  /** The branch gets the records that it shares. Its own operations are in their table already. */
  private inherit({ session: heir, head }: Base, from: string): void {
    for (const text of texts.INHERIT) this.sql(text).run(heir, from, head)
    const last = Math.min(head, texts.lastInOpTable(this.headOf(heir).head))
    this.sql(texts.INHERIT_OPS).run(heir, last)
  }

  /** The head of a new session that begins as a branch. */
  private branch(now: Head, base: Base): Head {
    const hash = hashAt(base, this.entries(base.session, base.head, base.head))
    const { snapshot } = this.headOf(base.session)
    return { ...now, head: base.head, hash, snapshot: snapshot <= base.head ? snapshot : 0 }
  }

  private insert(session: string, batch: Batch): Answer {
    const now = this.headOf(session)
    const known = batch.isNew ? undefined : this.known(session, now.head, batch.op)
    if (known) return known
    checkBatch(session, now, batch)
    const { base } = batch
    const head = base ? this.branch(now, base) : now
    const shared = base && this.known(base.session, base.head, batch.op)
    if (shared) return shared
    const hashes = chain(head.hash, batch.drafts, this.sha256)
    const first = head.head + 1
    const last = head.head + batch.drafts.length
    let { snapshot } = head
    batch.drafts.forEach(({ kind, body }, part) => {
      if (kind === 'snapshot') snapshot = first + part
      this.sql(texts.ADD_RECORD).run(session, first + part, kind, batch.op, part, body, hashes[part]!)
      this.sql(texts.ADD_PLACE).run(session, first + part, part === 0 ? batch.op : null)
    })
    const hash = hashes.at(-1)!
    if (now === EMPTY_HEAD) this.addHead(session, { ...EMPTY_HEAD, head: last, hash, snapshot })
    else this.sql(texts.MOVE_HEAD).run(last, hash, snapshot, session)
    if (base) this.sql(texts.SET_BASE).run(base.session, base.head, session)
    const [before, after] = [texts.lastInOpTable(head.head), texts.lastInOpTable(last)]
    if (after > before) this.sql(texts.ADD_OPS).run(session, before, after)
    return { first, last, hash, again: false }
  }

  private addHead(session: string, { head, hash, snapshot, epoch, owner }: Head): void {
    this.sql(texts.ADD_SESSION).run(session)
    this.sql(texts.ADD_HEAD).run(session, head, hash, snapshot, epoch, owner)
  }

  private sql(text: string): SqliteStatement {
    let statement = this.statements.get(text)
    if (!statement) {
      statement = this.db.prepare(text)
      this.statements.set(text, statement)
    }
    return statement
  }

  /** Checked while the lock is held: no other process can migrate the file before the end. */
  private write<T>(op: string, work: () => T): T {
    return this.inTransaction(op, () => {
      this.checkVersion()
      return work()
    })
  }

  private inTransaction<T>(op: string, work: () => T): T {
    const outcome = inTransaction(this.db, (text) => this.sql(text), op, work)
    this.identity.check(op)
    return outcome
  }

  /** A newer version may have migrated the file since it was opened here. */
  private checkVersion(): void {
    checkedVersion(this.sql(VERSION).get())
  }

  /** First come, first served, within this process. */
  private patiently<T>(what: string, work: () => T): Promise<T> {
    const checked = () => {
      this.identity.check()
      return work()
    }
    const run = this.queue.then(() => withBusyRetry(what, checked, this.options))
    this.queue = run.catch(() => {})
    return run
  }
}
