/** Errors of more than one step of writing. */
import { SutureError } from '../../core/index.ts'

export function changed(path: string): SutureError {
  return new SutureError(
    'conflict',
    `${path} has changed since it was read. Nothing was written. Run the command again.`,
  )
}
