import type { Answer } from './types.ts'

/** The writes of an answer at their times. Ends early if the client disconnects; never ends by itself on a stall. */
export async function* deliver(answer: Answer, left: AbortSignal): AsyncGenerator<Uint8Array> {
  await pause(answer.delay, left)
  for (const [index, write] of answer.writes.entries()) {
    if (index > 0) await pause(answer.pace, left)
    if (left.aborted) return
    yield write
  }
  if (answer.ending === 'stall') await pause(undefined, left)
}

/** Waits this long, or forever without a time; a disconnect ends it. */
export function pause(milliseconds: number | undefined, left: AbortSignal): Promise<void> {
  if (milliseconds === 0 || left.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = milliseconds === undefined ? undefined : setTimeout(finish, milliseconds)
    left.addEventListener('abort', finish, { once: true })
    function finish() {
      clearTimeout(timer)
      left.removeEventListener('abort', finish)
      resolve()
    }
  })
}
