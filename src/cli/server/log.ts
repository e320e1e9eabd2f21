/**
 * The log of `suture serve`: JSON lines on standard error, written in batches: after 50 ms, at 64 KiB, and at the end.
 * Lines of level `debug` (probes that were answered) are left out.
 */
import type { LogLine } from '../../gateway/index.ts'

const FLUSH_AFTER_MS = 50
const FLUSH_AT_LENGTH = 64 * 1024

export interface Log {
  line(line: LogLine): void
  /** Writes the lines that are not written yet. */
  flush(): void
}

export function logTo(write: (text: string) => void): Log {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting !== '') write(waiting.slice(0, -1))
    waiting = ''
  }
  return {
    line(line) {
      if (line.level === 'debug') return
      waiting += `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`
      if (waiting.length >= FLUSH_AT_LENGTH) flush()
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS)
    },
    flush,
  }
}
