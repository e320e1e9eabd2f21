/**
 * Ctrl-C and SIGTERM end a command with 130. A long computation cannot answer them: before one, they are left to the system, which ends
 * the process at once. While a file is written they wait.
 */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** A file of this size is read and checked in less than a second. */
const LONG = 4 * 1024 * 1024

/** Exit handlers remove temporary files. */
function stop(): void {
  process.exit(130)
}

export function stopOnSignals(): void {
  for (const signal of SIGNALS) process.off(signal, stop).on(signal, stop)
}

export function leaveSignals(): void {
  for (const signal of SIGNALS) process.off(signal, stop)
}

/** Before files of these sizes are read. */
export function leaveSignalsFor(sizes: readonly number[]): void {
  if (sizes.some((size) => size >= LONG)) leaveSignals()
}

/** Other tasks and signals get their turn. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
