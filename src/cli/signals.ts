/**
 * A signal ends a command with 128 and its number, as shells count: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
 * No handler runs during a long computation, so the handlers are removed before one: the system then ends the process.
 * While a file is written, signals wait.
 */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A file of this size is read and checked in less than a second. */
const LONG = 4 * 1024 * 1024

/** Exit handlers remove temporary files. */
function stop(_name: string, signal: number): void {
  process.exit(128 + signal)
}

export function stopOnSignals(): void {
  for (const signal of SIGNALS) process.off(signal, stop).on(signal, stop)
}

export function leaveSignals(): void {
  for (const signal of SIGNALS) process.off(signal, stop)
}

/** Call before files of these sizes are read. */
export function leaveSignalsFor(sizes: readonly number[]): void {
  if (sizes.some((size) => size >= LONG)) leaveSignals()
}

/** Lets other tasks and signal handlers run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
