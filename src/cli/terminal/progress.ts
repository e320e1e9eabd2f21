/** Progress of long work on standard error: only on a terminal, and only after a second. */
import type { Context } from '../command.ts'
import { bytesText } from './terminal.ts'

export interface Progress {
  /** In bytes. */
  step(done: number, total: number): void
  end(): void
}

const SHOW_AFTER_MS = 1000
const INTERVAL_MS = 100

export function progress(context: Context, verb: string, isQuiet: boolean): Progress {
  const began = Date.now()
  let last = 0
  let isShown = false
  const clear = () => void process.stderr.write('\r\u001b[2K')
  return {
    step(done, total) {
      const now = Date.now()
      if (!context.interactive || isQuiet || now - began < SHOW_AFTER_MS || now - last < INTERVAL_MS) return
      last = now
      if (!isShown) process.once('exit', clear)
      isShown = true
      process.stderr.write(`\r\u001b[2K${verb} ${Math.floor((100 * done) / (total || 1))} % of ${bytesText(total)}`)
    },
    end() {
      process.off('exit', clear)
      if (isShown) clear()
    },
  }
}
