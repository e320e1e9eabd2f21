/** An error in the words that are printed: one line each, so that a file name cannot look like a line of its own. */
import { isSutureError } from '../core/error.ts'
import { CommandError } from './command.ts'
import { oneLine } from './terminal/index.ts'

const LONGEST = 4000

/** Of an error that is not expected: its stack, for a report. */
export function errorText(error: unknown): string {
  if (error instanceof CommandError) return [error.message, ...error.lines].map(shown).join('\n')
  const { code, message, stack } = error as NodeJS.ErrnoException
  const isSystem = typeof code === 'string' && /^E[A-Z]+$/.test(code)
  return isSystem || isSutureError(error) ? shown(message) : String(stack ?? error)
}

/** The message of an error as a sentence: those of Node have no full stop. */
export function sentence(error: unknown): string {
  return `${(error as Error).message.trimEnd().replace(/\.$/, '')}.`
}

function shown(line: string): string {
  return oneLine(line, LONGEST)
}
