/**
 * Sessions belong to the name of a key, so that a key can be replaced. Earlier versions stored them under a hash of the key itself: they are moved
 * when that key is used. Only calls of the `Store` interface are needed: records keep their operations, bodies and hashes.
 */
import { isSutureError } from '../../core/index.ts'
import { type Batch, type Draft, digestOf, type Entry, type Head, type Store } from '../../session/index.ts'
import { LruCache } from '../lru.ts'

/** A scope of sessions: the current one, and the one of an earlier version. */
export interface Scopes {
  readonly scope: string
  readonly former: string | undefined
}

const OWNER = 'suture: moved to the name of its key'
const CHUNK = 200
/** Milliseconds after which a scope is checked again: a gateway of an earlier version may still write there. */
const AGAIN = 60_000

export class SessionMove {
  private readonly store: Store
  private readonly sha256: (text: string) => string
  /** Former scopes that are empty. */
  private readonly empty = new LruCache<true>(10_000, AGAIN)
  private readonly sweeps = new Map<string, Promise<void>>()

  constructor(store: Store, sha256: (text: string) => string) {
    this.store = store
    this.sha256 = (text) => store.sha256?.(text) ?? sha256(text)
  }

  /** Moves a session and its branches, and begins to move the others. */
  async adopt({ scope, former }: Scopes, id: string): Promise<void> {
    if (former === undefined || this.empty.get(former)) return
    const [first] = await this.named(`${former}/`, '', 1)
    if (first === undefined) {
      this.empty.set(former, true)
      return
    }
    const own = `${former}/${id}`
    await this.moveAll(own, scope, former, (name) => name === own || name.startsWith(`${own}~`))
    this.sweep(scope, former)
  }

  /** Moves the rest in the background: requests do not wait for it. */
  private sweep(scope: string, former: string): void {
    if (this.sweeps.has(former)) return
    const done = this.moveAll(`${former}/`, scope, former, () => true)
    const over = () => void this.sweeps.delete(former)
    this.sweeps.set(former, done.then(over, over))
  }

  private async moveAll(
    prefix: string,
    scope: string,
    former: string,
    isOne: (name: string) => boolean,
  ): Promise<void> {
    let after = ''
    for (;;) {
      const names = await this.named(prefix, after, CHUNK)
      for (const name of names) if (isOne(name)) await this.moved(name, scope, former)
      after = names.at(-1) ?? ''
      if (names.length < CHUNK) return
    }
  }

  /** Sessions whose names begin like this, after this one. */
  private async named(prefix: string, after: string, limit: number): Promise<readonly string[]> {
    // A session with exactly this name does not come after itself.
    const own = after === '' && !prefix.endsWith('/') && (await this.store.head(prefix)).head > 0 ? [prefix] : []
    const found = await this.store.list(after === '' ? prefix : after, limit)
    return [...own, ...found.filter((name) => name.startsWith(prefix))]
  }

  private async moved(from: string, scope: string, former: string): Promise<void> {
    try {
      // From now on an earlier version cannot write to it.
      const head = await this.store.claim(from, OWNER, { takeOver: false })
      const to = await this.target(from, scope, former)
      const hash = await this.copy(from, to, head)
      if (hash === head.hash) await this.store.purge(from)
      else await this.store.release(from, head.epoch)
    } catch (error) {
      // Another owner holds it, or it is damaged: it stays where it is.
      if (!isSutureError(error, 'conflict')) throw error
    }
  }

  /** Under the same id, unless another session has it. */
  private async target(from: string, scope: string, former: string): Promise<string> {
    const name = `${scope}${from.slice(former.length)}`
    const [[there], [here]] = await Promise.all([this.store.read(name, 1, 1), this.store.read(from, 1, 1)])
    const isCopy = there?.op === here?.op && there?.hash === here?.hash
    return there === undefined || isCopy ? name : `${name}~${former.slice(0, 8)}`
  }

  /** Copies operation by operation; what is already there is not written again. Returns the hash of the last record. */
  private async copy(from: string, to: string, { head }: Head): Promise<string> {
    let hash = ''
    let group: Entry[] = []
    const flush = async () => {
      if (group.length > 0) ({ hash } = await this.store.append(to, this.batchOf(group)))
      group = []
    }
    for (let at = 1; at <= head; at += CHUNK) {
      for (const entry of await this.store.read(from, at, Math.min(head, at + CHUNK - 1))) {
        if (entry.part === 0) await flush()
        group.push(entry)
      }
    }
    await flush()
    return hash
  }

  private batchOf(entries: readonly Entry[]): Batch {
    const { op, seq } = entries[0]!
    const drafts = entries.map(
      ({ kind, body }): Draft => ({ kind, body, digest: digestOf(op, kind, body, this.sha256) }),
    )
    return { op, drafts, expectedHead: seq - 1 }
  }
}
