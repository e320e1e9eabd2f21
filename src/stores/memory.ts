import { SutureError } from '../core/index.ts'
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
  sha256,
} from '../session/index.ts'
import { heirsOf } from './heirs.ts'
import { checkBatch, claimed, hashAt, nothingWritten } from './store-errors.ts'

interface Kept {
  head: Head
  /** All of its log: entries that several sessions share are the same objects. */
  readonly entries: Entry[]
  readonly ops: Map<string, Answer>
  base?: Base | undefined
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
    const next = batch.base ? this.branch(batch.base) : kept
    const shared = next.ops.get(batch.op)
    if (shared) return { ...shared, again: true }
    this.sessions.set(session, next)
    return this.add(next, batch)
  }

  private branch(base: Base): Kept {
    const { entries = [], ops = [] } = this.kept(base.session) ?? {}
    const shared = entries.slice(0, base.head)
    const hash = hashAt(base, shared)
    const snapshot = shared.findLast(({ kind }) => kind === 'snapshot')?.seq ?? 0
    const known = new Map([...ops].filter(([, { last }]) => last <= base.head))
    return { head: { ...EMPTY_HEAD, head: base.head, hash, snapshot }, entries: shared, ops: known, base }
  }

  async lineage(session: string): Promise<Lineage> {
    const { base } = this.kept(session) ?? {}
    return { ...(base ? { base } : {}), branches: this.branchesOf(session) }
  }

  private branchesOf(session: string): string[] {
    return [...this.sessions].flatMap(([id, { base }]) => (base?.session === session ? [id] : [])).sort()
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
    const gone = this.kept(session)
    const branches = this.branchesOf(session).map((id) => ({ session: id, head: this.sessions.get(id)!.base!.head }))
    for (const [id, base] of heirsOf(gone?.base, branches).bases) this.sessions.get(id)!.base = base
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
