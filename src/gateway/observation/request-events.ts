/**
 * The latest requests as a stream of server-sent events, for the viewer: names, counts and times as in the log, never
 * content. Requests to the gateway's own paths are left out, since watching makes some.
 */
import type { ByteSource } from '../../guard/transport.ts'
import type { LogLine } from '../options.ts'
import type { Outgoing } from '../types.ts'

/** Number of requests that are kept for viewers that connect later. */
const KEPT = 500
/** A viewer gets a comment if nothing has happened for this long, so that no proxy closes the connection. */
const PULSE = 15_000

interface Entry {
  readonly seq: number
  readonly at: number
  readonly line: LogLine
}

export class RequestEvents {
  private readonly entries: Entry[] = []
  private readonly watchers = new Set<Watcher>()
  private seq = 0

  add(line: LogLine): void {
    if (line.event !== 'request' || line['mode'] === 'own') return
    this.entries.push({ seq: ++this.seq, at: Date.now(), line })
    if (this.entries.length > KEPT) this.entries.shift()
    for (const watcher of this.watchers) watcher.wake()
  }

  /** Events after this number, then new ones as they occur. With a key, only those of that key. */
  stream(after: number, key: string | undefined): Outgoing {
    // A restarted gateway counts from 1 again.
    const watcher = new Watcher(this.entries, after > this.seq ? 0 : after, key)
    this.watchers.add(watcher)
    return {
      status: 200,
      headers: ['content-type', 'text/event-stream', 'cache-control', 'no-store'],
      body: watcher,
      over: () => {
        watcher.cancel()
        this.watchers.delete(watcher)
      },
    }
  }

  /** Ends all streams: the gateway shuts down. */
  close(): void {
    for (const watcher of this.watchers) watcher.cancel()
  }
}

class Watcher implements ByteSource {
  private readonly entries: readonly Entry[]
  private readonly key: string | undefined
  private after: number
  private ended = false
  private begun = false
  private resume: (() => void) | undefined

  constructor(entries: readonly Entry[], after: number, key: string | undefined) {
    this.entries = entries
    this.after = after
    this.key = key
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.ended) return undefined
    const fresh = this.fresh()
    if (fresh !== '') return Buffer.from(fresh)
    if (!this.begun) {
      this.begun = true
      return Buffer.from(': connected\n\n')
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PULSE)
      this.resume = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    return this.ended ? undefined : Buffer.from(this.fresh() || ': still here\n\n')
  }

  cancel(): void {
    this.ended = true
    this.wake()
  }

  wake(): void {
    this.resume?.()
  }

  private fresh(): string {
    const found = this.entries.filter(
      ({ seq, line }) => seq > this.after && (this.key === undefined || line['key'] === this.key),
    )
    this.after = this.entries.at(-1)?.seq ?? this.after
    return found.map(({ seq, at, line }) => `id: ${seq}\ndata: ${JSON.stringify({ ...line, seq, at })}\n\n`).join('')
  }
}
