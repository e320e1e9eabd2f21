/**
 * What a session needs from a database: a list of entries for each session, a head that only grows, and leases.
 * A store does not know messages: bodies are text, which it returns unchanged.
 */
export type Kind = 'message' | 'patch' | 'mark' | 'snapshot'

/** One record as it is stored. */
export interface Entry {
  /** Its position in the session, from 1 without a gap. */
  readonly seq: number
  readonly kind: Kind
  /** The operation it was written by, and its place in it. */
  readonly op: string
  readonly part: number
  /** JSON text. */
  readonly body: string
  /** SHA-256 of the hash before it and its own digest. */
  readonly hash: string
}

/** One record to be stored. */
export interface Draft {
  readonly kind: Kind
  readonly body: string
  /** SHA-256 over operation, kind and body; the store chains it to the hash before. */
  readonly digest: string
}

/** Records that a store writes together, or not at all. */
export interface Batch {
  readonly op: string
  readonly drafts: readonly Draft[]
  /** Where the session must end for this to be stored; `any`: anywhere. */
  readonly expectedHead: number | 'any'
  /** The writer's lease. Absent: stored only if there is no lease. */
  readonly epoch?: number
  /** The operation id was generated for this append: a store need not search it. */
  readonly isNew?: true
  /** The session is new and begins as a branch: it shares the records up to this position. */
  readonly base?: Base
}

/** A position in the log of another session. */
export interface Base {
  readonly session: string
  readonly head: number
}

/** Where a session branches off, if it does, and the sessions that branch off from it. */
export interface Lineage {
  readonly base?: Base
  readonly branches: readonly string[]
}

/** Where an operation was stored: positions first to last. */
export interface Answer {
  readonly first: number
  readonly last: number
  /** The hash of the last of them. */
  readonly hash: string
  /** This operation was stored before; nothing was written now. */
  readonly again: boolean
}

/** Where a session ends, and who may write to it. */
export interface Head {
  /** The last position; 0 if nothing was written. */
  readonly head: number
  readonly hash: string
  /** The position of the latest snapshot, or 0. */
  readonly snapshot: number
  /** Grows with every lease. */
  readonly epoch: number
  readonly owner: string | null
}

/** What a session needs of a database. `testStore` of `suture/testing` checks an implementation. */
export interface Store {
  /** For errors and logs: `sqlite`, `postgres`. */
  readonly name: string
  /** A faster SHA-256 than the built-in one, if the platform has it. */
  sha256?(text: string): string
  head(session: string): Promise<Head>
  /**
   * All or nothing. An operation that is stored already returns its first answer, whatever else the call contains; a
   * branch knows the operations of the records that it shares.
   * Throws `conflict` (lost race), `fenced` (another lease), `unknown-outcome` (may be stored: repeat with the same
   * operation), `store-failed` and `store-busy` (not stored).
   */
  append(session: string, batch: Batch): Promise<Answer>
  /** Where this operation was stored before, if it was. */
  find(session: string, op: string): Promise<Answer | undefined>
  /** The entries from one position to another, both included, in order; of a branch also those that it shares. */
  read(session: string, from: number, to: number): Promise<readonly Entry[]>
  /** Gives this owner the lease. If another owner holds it: `conflict`, except with `takeOver`. */
  claim(session: string, owner: string, options: { readonly takeOver: boolean }): Promise<Head>
  /** Releases the lease, if it is still held. */
  release(session: string, epoch: number): Promise<void>
  lineage(session: string): Promise<Lineage>
  /** Deletes the session permanently. Its branches keep the records that they share. */
  purge(session: string): Promise<void>
  /** Ids of sessions after this one, in order. */
  list(after: string, limit: number): Promise<readonly string[]>
  close(): Promise<void>
}

/** The head of a session in which nothing was written. */
export const EMPTY_HEAD: Head = { head: 0, hash: '', snapshot: 0, epoch: 0, owner: null }

/** Each hash covers the one before it, and so everything before it. */
export function chain(before: string, drafts: readonly Draft[], sha256: (text: string) => string): string[] {
  let hash = before
  return drafts.map(({ digest }) => {
    hash = sha256(hash + digest)
    return hash
  })
}

/** The digest that a record's hash is made of, together with the hash before it. */
export function digestOf(op: string, kind: Kind, body: string, sha256: (text: string) => string): string {
  return sha256(`${op}\n${kind}\n${body}`)
}
