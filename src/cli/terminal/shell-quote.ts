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

/** A path for a command that is printed: below the home folder it begins with `~/`, which is shorter to read. */
export function quotedPath(path: string, home: string): string {
  const below = home !== '' && path.startsWith(`${home}/`) ? path.slice(home.length + 1) : undefined
  return below !== undefined && quoted(below) === below ? `~/${below}` : quoted(path)
}
