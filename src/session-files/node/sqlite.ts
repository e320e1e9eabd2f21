/**
 * Rows of a session database, read without changing it. `better-sqlite3` is loaded here and nowhere else on the way to
 * a session file.
 */
import { SutureError, wordOf } from '../../core/index.ts'
import { carriesText } from '../content-text.ts'
import type { FileInput } from '../types.ts'

type Row = Record<string, unknown>

interface Database {
  prepare(sql: string): { all(): Row[] }
  close(): void
}

/** Tables without messages: of projects, settings and copies, as agents have them. */
const ASIDE =
  /^(sqlite_|__)|migration|version|_fts|^(project|permission|todo|files|read_files|workspace|account|event|event_sequence)$/

/** The tables of the format whose queries this database answers best, and the names of other tables with text. */
export async function readTables(path: string): Promise<Pick<FileInput, 'tables' | 'otherTables'>> {
  const { formats } = await import('../formats.ts')
  const database = await openReadOnly(path)
  try {
    let best: Answered = { tables: {}, share: 0 }
    for (const { queries } of formats) {
      const answered = queries ? answer(database, queries) : best
      if (answered.share > best.share) best = answered
    }
    return { tables: best.tables, otherTables: otherTables(database, Object.keys(best.tables)) }
  } finally {
    database.close()
  }
}

function otherTables(database: Database, known: readonly string[]): readonly string[] {
  const names = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => wordOf(name))
  return names.filter((name) => {
    if (known.includes(name) || ASIDE.test(name)) return false
    try {
      return carriesText(database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}" LIMIT 20`).all())
    } catch {
      // A table of an extension that is not loaded.
      return true
    }
  })
}

interface Answered {
  readonly tables: Record<string, readonly Row[]>
  /** Of the queries, how many the database could answer. */
  readonly share: number
}

function answer(database: Database, queries: Readonly<Record<string, string>>): Answered {
  const tables: Record<string, readonly Row[]> = {}
  for (const [name, query] of Object.entries(queries)) {
    try {
      tables[name] = database.prepare(query).all()
    } catch {
      // No such table or column: the database of another program.
    }
  }
  return { tables, share: Object.keys(tables).length / Object.keys(queries).length }
}

async function openReadOnly(path: string): Promise<Database> {
  type Constructor = new (path: string, options: { readonly: boolean; fileMustExist: boolean }) => Database
  let Driver: Constructor
  try {
    Driver = (await import('better-sqlite3')).default as unknown as Constructor
  } catch (error) {
    throw new SutureError(
      'store-missing',
      `${path} is an SQLite database, and reading it needs the package better-sqlite3, which could not be loaded (${(error as Error).message.split('\n')[0]}). Run \`npm install better-sqlite3\`.`,
      {},
    )
  }
  return new Driver(path, { readonly: true, fileMustExist: true })
}
