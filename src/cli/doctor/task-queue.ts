/**
 * The next task, and the current task of each worker, in shared memory: threads take tasks without waiting for others.
 */
const NEXT_LARGE = 0
const NEXT = 1
const CURRENT = 2

/** What a worker gets to build its own queue. */
export interface SharedQueue {
  readonly memory: SharedArrayBuffer
  /** The first tasks, which only workers take. */
  readonly large: number
  readonly total: number
}

export class TaskQueue {
  readonly shared: SharedQueue
  private readonly cells: Int32Array

  constructor(shared: SharedQueue) {
    this.shared = shared
    this.cells = new Int32Array(shared.memory)
  }

  static of(large: number, total: number, workers: number): TaskQueue {
    const memory = new SharedArrayBuffer((CURRENT + workers) * Int32Array.BYTES_PER_ELEMENT)
    const cells = new Int32Array(memory).fill(-1, CURRENT)
    cells[NEXT] = large
    return new TaskQueue({ memory, large, total })
  }

  /** The index of the main thread's next task. */
  next(): number | undefined {
    const index = Atomics.add(this.cells, NEXT, 1)
    return index < this.shared.total ? index : undefined
  }

  nextOfWorker(worker: number): number | undefined {
    const large = Atomics.add(this.cells, NEXT_LARGE, 1)
    const index = large < this.shared.large ? large : this.next()
    Atomics.store(this.cells, CURRENT + worker, index ?? -1)
    return index
  }

  /** What the worker had when it ended, if anything. */
  takenBy(worker: number): number | undefined {
    const index = Atomics.exchange(this.cells, CURRENT + worker, -1)
    return index < 0 ? undefined : index
  }
}
