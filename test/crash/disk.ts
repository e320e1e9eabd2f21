/**
 * A disk as a power cut finds it: what was synced is there; of what was only written, some, none or all, and the last of it torn.
 * It does not lie about syncing: a disk that does is outside of this model.
 */
import { below, type Random } from './row.ts'
import type { Step } from './trace.ts'

type Change = Extract<Step, { step: 'write' | 'truncate' | 'unlink' }>
export type Image = ReadonlyMap<string, Buffer>

export const cuts = ['none', 'all', 'torn', 'scattered'] as const
export type CutKind = (typeof cuts)[number]

const SECTOR = 512

export class Disk {
  private synced = new Map<string, Buffer>()
  private pending: Change[] = []

  take(step: Step): void {
    if (step.step === 'said') return
    if (step.step !== 'sync') return void this.pending.push(step)
    // Removals are of the folder; writes and sizes of the file. A file is there once it was synced itself.
    const due = (change: Change) =>
      step.file === '.' ? change.step === 'unlink' : change.step !== 'unlink' && change.file === step.file
    this.synced = applied(this.synced, this.pending.filter(due))
    this.pending = this.pending.filter((change) => !due(change))
  }

  image(kind: CutKind, random: Random): Image {
    return applied(this.synced, this.survivors(kind, random))
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

function applied(files: ReadonlyMap<string, Buffer>, changes: readonly Change[]): Map<string, Buffer> {
  const now = new Map(files)
  const own = new Set<string>()
  for (const change of changes) {
    const { file } = change
    if (change.step === 'unlink') {
      now.delete(file)
      own.delete(file)
      continue
    }
    const before = now.get(file) ?? Buffer.alloc(0)
    const size = change.step === 'truncate' ? change.size : Math.max(before.length, change.at + change.bytes.length)
    let bytes = before
    if (size !== before.length || !own.has(file)) {
      bytes = Buffer.alloc(size)
      before.copy(bytes, 0, 0, Math.min(size, before.length))
      own.add(file)
    }
    if (change.step === 'write') change.bytes.copy(bytes, change.at)
    now.set(file, bytes)
  }
  return now
}
