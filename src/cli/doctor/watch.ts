/** Repeats a check whenever one of the files changes, until Ctrl-C ends the process with 130. */
import type { Context } from '../command.ts'
import { errorText } from '../error-text.ts'
import { plural } from '../terminal/index.ts'
import { stampOf } from './cache.ts'

const EVERY_MS = 300

/** Polls, since agents replace files as well as append to them, and folders may be on a network. */
export async function watchFiles(
  paths: readonly string[],
  check: () => Promise<number>,
  context: Context,
): Promise<never> {
  context.error(`Watching ${plural(paths.length, 'file')}. Ctrl-C ends it.`)
  for (let seen = ''; ; ) {
    // Taken before the check: a change during it leads to another one.
    const now = paths.map(stampOf).join('\n')
    if (now !== seen) {
      seen = now
      await check().catch((error: Error) => context.error(errorText(error)))
    }
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
}
