/**
 * What a session-file format implements, and what the command line, the viewer and the plugin get from one.
 * Everything here is pure: bytes in, bytes out. Finding files, locks, backups and SQLite are in `node/`.
 */
import type { Finding, Patch, Severity } from '../core/index.ts'
import type { NewFile } from './plan-types.ts'

export type * from './plan-types.ts'

/** The operating system as far as paths are concerned, and its environment variables. */
export interface HostEnvironment {
  readonly platform: 'linux' | 'darwin' | 'win32' | 'wsl'
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The current folder: some agents keep sessions inside the project. */
  readonly cwd: string
}

/** A folder where an agent keeps sessions, and which files below it are sessions. */
export interface FileLocation {
  readonly root: string
  /** Glob below `root`, with `/` as separator on every platform. */
  readonly pattern: string
}

/** A file as it is handed to a format. `path` is only a name: nothing is opened here. */
export interface FileInput {
  readonly bytes: Uint8Array
  readonly path?: string | undefined
  /** Files that belong to it (sub-agents, sidecars), by their path relative to the file. */
  readonly siblings?: ReadonlyMap<string, Uint8Array> | undefined
  /** Rows of a database format, read by `node/`. */
  readonly tables?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> | undefined
  /** Names of other tables of that database whose rows have text. */
  readonly otherTables?: readonly string[] | undefined
}

/** One record of a file. `start` to `end` are its bytes in the file as given, without the line break. */
export interface FileRecord {
  readonly index: number
  /** 1-based line in the file as given. */
  readonly line: number
  readonly start: number
  readonly end: number
  readonly value: unknown
  /** The format's own word for it: `assistant`, `compact_boundary`, `response_item/function_call`. */
  readonly type: string
  /** The type is one of the format. Others are kept and shown; such a file is written only with `force`. */
  readonly known: boolean
  /** One valid JSON line, where the bytes in the file are not: UTF-16, raw control characters, several lines. */
  readonly rewritten?: Uint8Array | undefined
}

/** Bytes that belong to no record. They go to the quarantine file when the file is written. */
export interface Quarantined {
  readonly line: number
  readonly offset: number
  readonly bytes: Uint8Array
  readonly reason: QuarantineReason
}

/** Why a part of a file is not used. */
export type QuarantineReason =
  | 'byte-order-mark'
  | 'nul-bytes'
  | 'torn-record'
  | 'truncated-prefix'
  | 'not-json'
  | 'not-a-record'

/** Physical damage that was undone without removing anything. */
export interface SalvageNote {
  readonly line: number
  readonly kind:
    | 'utf-16'
    | 'raw-control-character'
    | 'record-over-several-lines'
    | 'glued-records'
    /** A JSON document ends before its brackets do; they are added when the file is written. */
    | 'document-cut-short'
    /** A comma is missing or one too many between the elements of a list. */
    | 'list-separators'
}

/** What was read of a file. */
export interface Salvage {
  readonly quarantined: readonly Quarantined[]
  readonly notes: readonly SalvageNote[]
}

/** Why a record is not part of the next request. */
export type ExcludedBecause =
  | 'before-compaction'
  | 'other-branch'
  | 'dead-branch-after-api-error'
  | 'dangling-parent'
  | 'sidechain'
  | 'superseded'
  | 'not-conversation'
  | 'unreadable'

/** What the next request will contain. */
export interface Conversation {
  /** Unique in the file: `main`, `agent-3f2a`, `line 12`. */
  readonly id: string
  readonly title?: string | undefined
  readonly dialect: string
  /** The provider that this agent sends it to, as far as the file tells; else the dialect's maker. */
  readonly provider: string
  readonly model?: string | undefined
  /** The request body around the history, if the file has one: it may say that earlier messages are elsewhere. */
  readonly request?: object | undefined
  /** Messages in the dialect's own shape, as the agent will send them. */
  readonly history: readonly unknown[]
  /** For each message of `history` the indexes of the records it was made from. */
  readonly sources: readonly (readonly number[])[]
  readonly reach: Reach
  /** The agent itself closes open calls when it loads the file: an open call is then no fault of the file. */
  readonly agentClosesOpenCalls: boolean
}

/** How much of a conversation its agent still sends to the model. */
export interface Reach {
  /** Records with conversation content that the next request will contain. */
  readonly included: number
  /** All records with conversation content. */
  readonly total: number
  readonly excluded: readonly { readonly record: number; readonly because: ExcludedBecause }[]
}

/** A session file that was read. */
export interface SessionFile {
  readonly format: string
  /** The format's version as the file states it. */
  readonly version?: string | undefined
  /** The file's session id, if it has one. */
  readonly sessionId?: string | undefined
  /** The working directory of the agent, if the file has it. */
  readonly cwd?: string | undefined
  readonly input: FileInput
  readonly records: readonly FileRecord[]
  readonly salvage: Salvage
  /** The main conversation first, then those of sub-agents; for data sets one for each line. */
  readonly conversations: readonly Conversation[]
  /** An unknown version or record type: written only with `force`. */
  readonly unknown: readonly string[]
}

/** An edit of one record. Records without one keep their bytes. */
export type RecordEdit =
  | { readonly op: 'replace'; readonly record: number; readonly bytes: Uint8Array }
  | { readonly op: 'remove'; readonly record: number }
  | { readonly op: 'insert'; readonly after: number; readonly bytes: Uint8Array }

/** An edit with its reason. */
export type RecordChange = RecordEdit & { readonly why: string }

/** The format's own word for a record, and whether it is a type of the format. */
export interface RecordType {
  readonly type: string
  readonly known: boolean
}

/** A fault of the file: what the agent will not load, or what salvage had to undo. */
export interface FileFault {
  /** Kebab-case id, with a page in docs/session-files.md: `dangling-parent`, `torn-record`, `duplicate-ordinal`. */
  readonly rule: string
  readonly severity: Severity
  readonly record?: number | undefined
  readonly line?: number | undefined
  readonly message: string
  /** The changes that repair it. Absent: only a person can. */
  readonly fix?: readonly RecordChange[] | undefined
  /** The repair removes something that the model could read. */
  readonly lossy?: boolean | undefined
}

/** One on-disk format: one folder with these five functions. */
export interface SessionFormat {
  readonly id: string
  /** The product: `Claude Code`. */
  readonly title: string
  /** `yes`: repaired in place. `no`: read only. */
  readonly writes: 'yes' | 'no'
  /** JSONL files go through salvage; a database is read by `node/` and arrives as tables. */
  readonly storage: 'jsonl' | 'json' | 'sqlite' | 'folder'
  /** 1. Where its files are. */
  locate(host: HostEnvironment): readonly FileLocation[]
  /** Is this a file of this format? Looks at the path and the first records only; 0 no, 1 yes, between: a guess. */
  recognize(input: FileInput, head: readonly unknown[]): number
  /** 2. Records with their bytes, and 3. which of them the next request will contain. */
  read(input: FileInput): SessionFile
  /** The two halves of `read`, for records that a repair changes. Absent for formats that are only read. */
  typeOf?(value: unknown): RecordType
  conversations?(file: SessionFile): readonly Conversation[]
  /** 4. A repair of one conversation, as edits of records. Keeps the format's own invariants. */
  write(file: SessionFile, conversation: Conversation, patch: Patch): readonly RecordEdit[]
  /** 5. What the agent will not load. */
  check(file: SessionFile): readonly FileFault[]
  /** The same changes in the way the format needs them: padded to length, for example. */
  arrange?(file: SessionFile, changes: readonly RecordChange[]): readonly RecordChange[]
  /** Why these changes may not be written in place, if so. */
  mayWrite?(file: SessionFile, changes: readonly RecordChange[]): string | undefined
  /** The repaired file as a session of its own, for a file that may not be written in place. */
  newFile?(repaired: SessionFile): NewFile
  /** The new file after these changes, for a format whose records are not lines. Absent: one record is one line. */
  apply?(file: SessionFile, changes: readonly RecordEdit[]): Uint8Array
  /** Database formats: for each table of `input.tables` the query that fills it. A missing table is an empty one. */
  readonly queries?: Readonly<Record<string, string>>
  /** Data sets: each line is a conversation of its own, so that a file larger than memory can be read line by line. */
  readonly dataset?: DatasetLines | undefined
}

/** One record of a data set, already parsed. `index` is its place in the file, from 0. */
export interface DatasetLines {
  /** The record's conversations; empty if it is not of this format. A preference record has several. */
  read(value: unknown, index: number): readonly Conversation[]
  check(value: unknown, index: number): readonly FileFault[]
}

/** A finding as the command line and the viewer show it. */
export interface FileFinding {
  /** `provider`: rejected by the provider. `load`: not loaded by the agent. `salvage`: physical damage. */
  readonly kind: 'provider' | 'load' | 'salvage'
  readonly rule: string
  readonly severity: Severity
  readonly conversation?: string | undefined
  readonly record?: number | undefined
  readonly line?: number | undefined
  readonly message: string
  /** `safe`, `lossy`, or absent if only a person can repair it. */
  readonly repair?: 'safe' | 'lossy' | undefined
  /** The core's finding, for kind `provider`. */
  readonly finding?: Finding | undefined
}

/** Options of `planRepair`. */
export interface PlanOptions {
  /** Default: the conversation's own provider. */
  readonly provider?: string | undefined
  readonly model?: string | undefined
  /** Repair what loses something, too. */
  readonly lossy?: boolean | undefined
  /** Only findings of these rules. */
  readonly only?: readonly string[] | undefined
  /** Write although the version or a record type is unknown. */
  readonly force?: boolean | undefined
}
