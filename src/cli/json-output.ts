/** JSON that is printed. A value may be nested deeper than the stack, and with indentation too long for a text. */
import { CommandError } from './command.ts'

/** With indentation, where a text can hold it. */
export function indented(value: unknown): string {
  const text = textOf(value, 2) ?? textOf(value)
  if (text !== undefined) return text
  throw new CommandError('The output has a value that is nested too deeply to be written as JSON.')
}

/** On one line, for people. */
export function compact(value: unknown): string {
  return textOf(value) ?? '(nested too deeply to be shown)'
}

function textOf(value: unknown, indent?: number): string | undefined {
  try {
    return JSON.stringify(value, null, indent) ?? String(value)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
