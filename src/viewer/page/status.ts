/** Store: whether a step runs, the last error, and the last notice. */
import { createSignal } from 'solid-js'

const NOTICE_MS = 5_000

const [busy, setBusy] = createSignal(false)
/** The message of the last error. */
export const [problem, setProblem] = createSignal<string>()
const [notice, setNotice] = createSignal<string>()

export { busy, notice }

/** Runs a step, and shows its error. */
export async function attempt<T>(step: () => Promise<T>): Promise<T | undefined> {
  setBusy(true)
  try {
    setProblem(undefined)
    return await step()
  } catch (error) {
    setProblem((error as Error).message)
    return undefined
  } finally {
    setBusy(false)
  }
}

let timer: ReturnType<typeof setTimeout> | undefined

export function notify(text: string): void {
  clearTimeout(timer)
  setNotice(text)
  timer = setTimeout(() => setNotice(undefined), NOTICE_MS)
}
