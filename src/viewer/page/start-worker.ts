/** The worker as a file of its own. */
export function startWorker(): Worker {
  return new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module' })
}
