import { SutureError } from '../core/index.ts'
import {
  type Answer,
  type Batch,
  chain,
  EMPTY_HEAD,
  type Entry,
  type Head,
  type Store,
  sha256,
} from '../session/index.ts'
import { checkBatch, claimed, nothingWritten } from './store-errors.ts'

interface Kept {
  head: Head
  readonly entries: Entry[]
  readonly ops: Map<string, Answer>
}

/** A store in the memory of this process: for tests, browsers, and conversations that need not outlive it. */
export function memoryStore(): Store {
  return new MemoryStore()
}

class MemoryStore implements Store {
  readonly name = 'memory'
  private readonly sessions = new Map<string, Kept>()
  private closed = false

  async head(session: string): Promise<Head> {
    return this.kept(session)?.head ?? EMPTY_HEAD
  }

  async append(session: string, batch: Batch): Promise<Answer> {
    const kept = this.kept(session) ?? { head: EMPTY_HEAD, entries: [], ops: new Map() }
    const known = kept.ops.get(batch.op)
    if (known) return { ...known, again: true }
    if (batch.drafts.length === 0) return nothingWritten(kept.head)
    checkBatch(session, kept.head, batch)
    this.sessions.set(session, kept)
    return this.add(kept, batch)
  }

  private add(kept: Kept, { op, drafts }: Batch): Answer {
    const hashes = chain(kept.head.hash, drafts, sha256)
    const first = kept.head.head + 1
    let { snapshot } = kept.head
    drafts.forEach(({ kind, body }, part) => {
      if (kind === 'snapshot') snapshot = first + part
      kept.entries.push({ seq: first + part, kind, op, part, body, hash: hashes[part]! })
    })
    const answer = { first, last: kept.entries.length, hash: hashes.at(-1)!, again: false }
    kept.head = { ...kept.head, head: answer.last, hash: answer.hash, snapshot }
    kept.ops.set(op, answer)
    return answer
  }

  async find(session: string, op: string): Promise<Answer | undefined> {
    const known = this.kept(session)?.ops.get(op)
    return known && { ...known, again: true }
  }

  async read(session: string, from: number, to: number): Promise<readonly Entry[]> {
    return this.kept(session)?.entries.slice(Math.max(0, from - 1), to) ?? []
  }

  async claim(session: string, owner: string, { takeOver }: { takeOver: boolean }): Promise<Head> {
    const kept = this.kept(session) ?? { head: EMPTY_HEAD, entries: [], ops: new Map() }
    kept.head = claimed(session, kept.head, owner, takeOver)
    this.sessions.set(session, kept)
    return kept.head
  }

  async release(session: string, epoch: number): Promise<void> {
    const kept = this.kept(session)
    if (kept?.head.epoch === epoch) kept.head = { ...kept.head, owner: null }
  }

  async purge(session: string): Promise<void> {
    this.kept(session)
    this.sessions.delete(session)
  }

  async list(after: string, limit: number): Promise<readonly string[]> {
    return [...this.sessions.keys()]
      .filter((id) => id > after)
      .sort()
      .slice(0, limit)
  }

  async close(): Promise<void> {
    this.closed = true
  }

  private kept(session: string): Kept | undefined {
    if (this.closed) throw new SutureError('store-failed', 'The store is closed. Open it again.')
    return this.sessions.get(session)
  }
}
