/**
 * Limits the work that one history may cause, in proportion to its size: a megabyte of `1,1,1` has half a million
 * findings, each with a hundred times the memory of its two bytes. Real histories stay far below the limits. A history
 * beyond them gets a single finding and is not changed, since half a repair may be worse than none.
 */
import { isObject } from './json.ts'
import { defineRule } from './rule.ts'

/** Up to this many findings, and messages with their parts, the history is not measured. */
const FREE_FINDINGS = 100
const FREE_ENTRIES = 10_000
/** Bytes of JSON for each further message or part. The shortest valid message has 29, the shortest valid part 12. */
const BYTES_PER_ENTRY = 8

/** The findings of a history that are too many. */
export interface FindingLimit {
  /** Bytes of JSON for each finding beyond the first hundred. */
  readonly bytesPerFinding: number
  /** Never more than this many. */
  readonly most: number
}

const DEFAULT_LIMIT: FindingLimit = { bytesPerFinding: 64, most: Number.POSITIVE_INFINITY }

/** The finding that replaces all others. No provider has a constraint for it, so no list of rules contains it. */
export const tooManyFindings = defineRule({
  id: 'too-many-findings',
  phase: 'shape',
  repair: 'none',
  messages: {
    findings:
      'The history has more than {most} findings, which is too many for its size. It was not checked to its end and is not changed.',
    entries:
      'The history has {count} messages and parts or more, which is too many for its size. It was not checked and is not changed.',
  },
  check() {},
})

/** Ends a check. Not an error for callers: `lint` and `repair` return the finding. */
export class LimitExceeded {
  readonly id: 'findings' | 'entries'
  readonly data: Readonly<Record<string, unknown>>

  constructor(id: LimitExceeded['id'], data: LimitExceeded['data']) {
    this.id = id
    this.data = data
  }
}

export class WorkLimit {
  private readonly history: readonly unknown[]
  private readonly limit: FindingLimit
  private entries = FREE_ENTRIES
  private findings = FREE_FINDINGS

  constructor(history: readonly unknown[], limit = DEFAULT_LIMIT) {
    this.history = history
    this.limit = limit
    this.checkEntries(history.length)
  }

  /** Called with a number of findings. The history is measured only if there are many of them. */
  checkFindings(count: number): void {
    if (count < this.findings) return
    const { bytesPerFinding, most } = this.limit
    const size = sizeUpTo(most * bytesPerFinding, this.history)
    this.findings = Math.min(most, FREE_FINDINGS + size / bytesPerFinding)
    if (count >= this.findings) throw new LimitExceeded('findings', { most: Math.floor(this.findings) })
  }

  /** Called with a number of messages and parts, before they are read. */
  checkEntries(count: number): void {
    if (count < this.entries) return
    if (sizeUpTo(count * BYTES_PER_ENTRY, this.history) < count * BYTES_PER_ENTRY)
      throw new LimitExceeded('entries', { count })
    this.entries = count * 2
  }
}

/** Ends the walk over a value that contains itself. */
const MAX_STEPS = 10_000_000

/** A lower bound of the bytes of a value as JSON, up to a limit. Does not recurse: content may be nested very deep. */
function sizeUpTo(limit: number, root: unknown): number {
  const stack: unknown[] = [root]
  let size = 0
  for (let n = 0; stack.length > 0 && size < limit && n < MAX_STEPS; n++) {
    const value = stack.pop()
    if (Array.isArray(value)) {
      size += 2
      for (let i = value.length - 1; i >= 0; i--) {
        if (typeof value[i] === 'object') stack.push(value[i])
        else size += sizeOfPlain(value[i])
      }
    } else if (isObject(value) && !ArrayBuffer.isView(value)) {
      size += 2
      for (const key in value) {
        size += key.length + 4
        stack.push(value[key])
      }
    } else size += sizeOfPlain(value)
  }
  return size
}

function sizeOfPlain(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.byteLength
  return typeof value === 'string' ? value.length + 3 : 2
}
