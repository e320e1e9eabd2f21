/**
 * A disk as a power cut finds it: what was synced is there; of what was only written, some, none or all, and the last
 * of it torn. It does not lie about syncing: a disk that does is outside of this model.
 */
import { below, type Random } from './matrix-row.ts'
import type { Step } from './trace.ts'

export type Image = ReadonlyMap<string, Buffer>

export const cuts = ['none', 'all', 'torn', 'scattered'] as const
export type CutKind = (typeof cuts)[number]

/** A name may belong to one file after the other: each has a key of its own. */
type OfBytes =
  | { readonly step: 'write'; readonly key: string; readonly at: number; readonly bytes: Buffer }
  | { readonly step: 'truncate'; readonly key: string; readonly size: number }
type Change =
  | OfBytes
  | { readonly step: 'link'; readonly key: string; readonly name: string }
  | { readonly step: 'unlink'; readonly key: string; readonly name: string }

interface State {
  readonly names: ReadonlyMap<string, string>
  readonly bytes: ReadonlyMap<string, Buffer>
}

const SECTOR = 512

export class Disk {
  private synced: State = { names: new Map(), bytes: new Map() }
  private pending: Change[] = []
  private readonly keys = new Map<string, string>()
  private serial = 0

  take(step: Step): void {
    if (step.step === 'acknowledged') return
    if (step.step === 'sync') {
      this.sync(step.file)
      return
    }
    const key = this.keyOf(step.file)
    if (step.step === 'unlink') this.keys.delete(step.file)
    if (step.step === 'unlink') this.pending.push({ step: 'unlink', key, name: step.file })
    if (step.step === 'write') this.pending.push({ step: 'write', key, at: step.at, bytes: step.bytes })
    if (step.step === 'truncate') this.pending.push({ step: 'truncate', key, size: step.size })
  }

  image(kind: CutKind, random: Random): Image {
    const { names, bytes } = applied(this.synced, this.survivors(kind, random))
    return new Map([...names].map(([name, key]) => [name, bytes.get(key) ?? Buffer.alloc(0)]))
  }

  /** The folder's names, or one file with its own name: that is how far a sync goes. */
  private sync(file: string): void {
    const key = this.keys.get(file)
    const due = ({ step, key: of }: Change) =>
      file === '.' ? step === 'link' || step === 'unlink' : of === key && step !== 'unlink'
    this.synced = applied(this.synced, this.pending.filter(due))
    this.pending = this.pending.filter((change) => !due(change))
  }

  private keyOf(name: string): string {
    const known = this.keys.get(name)
    if (known !== undefined) return known
    const key = `${name}#${this.serial++}`
    this.keys.set(name, key)
    this.pending.push({ step: 'link', key, name })
    return key
  }

  private survivors(kind: CutKind, random: Random): readonly Change[] {
    if (kind === 'none') return []
    if (kind === 'all') return this.pending
    if (kind === 'scattered') return this.pending.filter(() => random() < 0.5)
    const half = this.pending.slice(0, Math.ceil(this.pending.length / 2))
    const last = half.pop()
    return last ? [...half, torn(last, random)] : half
  }
}

/** Sectors are written whole: a write is cut between two of them. */
function torn(change: Change, random: Random): Change {
  if (change.step !== 'write') return change
  const sectors = Math.floor(change.bytes.length / SECTOR)
  return { ...change, bytes: change.bytes.subarray(0, below(random, sectors + 1) * SECTOR) }
}

function applied(state: State, changes: readonly Change[]): State {
  const names = new Map(state.names)
  const files = new Map(state.bytes)
  const own = new Set<string>()
  for (const change of changes) {
    if (change.step === 'link') names.set(change.name, change.key)
    else if (change.step === 'unlink') {
      // The name may belong to a newer file by now.
      if (names.get(change.name) === change.key) names.delete(change.name)
    } else files.set(change.key, changed(files.get(change.key) ?? Buffer.alloc(0), change, own))
  }
  return { names, bytes: files }
}

/** Bytes that others may hold are copied first. */
function changed(before: Buffer, change: OfBytes, own: Set<string>): Buffer {
  const size = change.step === 'truncate' ? change.size : Math.max(before.length, change.at + change.bytes.length)
  let bytes = before
  if (size !== before.length || !own.has(change.key)) {
    bytes = Buffer.alloc(size)
    before.copy(bytes, 0, 0, Math.min(size, before.length))
    own.add(change.key)
  }
  if (change.step === 'write') change.bytes.copy(bytes, change.at)
  return bytes
}
