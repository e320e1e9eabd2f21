/**
 * Reads an error text from standard input. Input may be open without a writer, so the wait for a first byte is short.
 */

import { fstatSync } from 'node:fs'
import { orUndefined } from '../../core/or-undefined.ts'
import type { Context } from '../command.ts'

const PATIENCE_MS = 250

/** `-`: all of standard input. Without files and `--last`: piped text, if there is any. */
export async function firstInput(
  files: readonly string[],
  isOther: boolean,
  context: Context,
): Promise<string | undefined> {
  if (files.length === 1 && files[0] === '-') return Buffer.from(await context.stdin()).toString('utf8')
  if (files.length > 0 || isOther || context.stdinIsTerminal || !isPipe() || !(await hasInput())) return undefined
  const text = Buffer.from(await context.stdin()).toString('utf8')
  return text.trim() === '' ? undefined : text
}

function isPipe(): boolean {
  const input = orUndefined(() => fstatSync(0))
  return input !== undefined && (input.isFIFO() || input.isSocket() || (input.isFile() && input.size > 0))
}

function hasInput(): Promise<boolean> {
  const { stdin } = process
  return new Promise((resolve) => {
    const settle = (is: boolean) => {
      clearTimeout(timer)
      stdin.off('readable', ready)
      stdin.off('end', ended)
      if (!is) {
        stdin.pause()
        stdin.unref?.()
      }
      resolve(is)
    }
    const ready = () => settle(stdin.readableLength > 0)
    const ended = () => settle(false)
    const timer = setTimeout(() => settle(false), PATIENCE_MS)
    stdin.once('readable', ready)
    stdin.once('end', ended)
  })
}
