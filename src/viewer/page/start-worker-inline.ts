/** The worker inside the page, for the build that is one HTML file. */
import Inline from '../worker/main.ts?worker&inline'

export function startWorker(): Worker {
  return new Inline()
}
