import type { FileFinding, Quarantined, Reach, RecordChange } from './types.ts'

/** A file that does not exist yet. */
export interface NewFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The messages of the new file. Its bytes were read again and compared. */
export interface RepairPromise {
  readonly messagesBefore: number
  readonly messagesAfter: number
  /** Bytes that belong to no record and go to the quarantine file. */
  readonly quarantinedBytes: number
}

/** A repair of a session file that has not been made yet. */
export interface RepairPlan {
  /** Hash of the file's bytes, the findings and the new bytes: the file is written only if it is still the same. */
  readonly fingerprint: string
  readonly findings: readonly FileFinding[]
  readonly remaining: readonly FileFinding[]
  readonly changes: readonly RecordChange[]
  /** The new file. The same array as the input if there is nothing to change. */
  readonly bytes: Uint8Array
  readonly quarantined: readonly Quarantined[]
  readonly promise: RepairPromise
  readonly reachBefore: Reach
  readonly reachAfter: Reach
  /** Why it may not be written, if so: unknown version, read-only format. */
  readonly blocked?: string | undefined
  /** If the repair may not be written in place: the repaired session as a file of its own, with an id of its own. */
  readonly newFile?: NewFile | undefined
}
