/**
 * The log of `suture serve`: JSON lines on standard error, written many at a time. A line that waits is written within a moment, and at the end.
 */
import type { LogLine } from '../gateway/index.ts'

const MOMENT = 50
const ENOUGH = 64 * 1024

export interface Log {
  line(line: LogLine): void
  /** Writes what waits. */
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
      waiting += `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`
      if (waiting.length >= ENOUGH) flush()
      else timer ??= setTimeout(flush, MOMENT)
    },
    flush,
  }
}
