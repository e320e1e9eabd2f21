/** Words as a shell takes them, so that a printed command can be copied. Control characters use the `$'…'` form. */
import { escapeControls } from './terminal.ts'

export function quoted(word: string): string {
  if (/^[\w@%+=:,./~-]+$/.test(word)) return word
  const escaped = escapeControls(word)
  if (escaped !== word || /[\n\t]/.test(word)) {
    const body = word.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
    return `$'${escapeControls(body)}'`
  }
  return process.platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`
}
