/**
 * Text for a terminal: optional colors, and control characters always escaped. All output passes through `printed`
 * last.
 */
type Env = Readonly<Record<string, string | undefined>>

/** NO_COLOR wins over FORCE_COLOR, that over whether it is a terminal. */
export function wantsColors(env: Env, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0'
  return isTerminal && env['TERM'] !== 'dumb'
}

/** Codes of "select graphic rendition" that `paint` uses. */
const SGR = [1, 2, 22, 31, 32, 33, 36, 39]
/** `paint` writes a noncharacter for each code; `printed` turns them into escape sequences and escapes all others. */
const FIRST_MARK = 0xfdd0

/** C0, C1, DEL, line separators, marks that turn the direction of text, noncharacters. Line breaks and tabs stay. */
const RANGES = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x206f],
  [0xfdd0, 0xfdef],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xfffe, 0xffff],
] as const
const hex = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`
const CONTROLS = new RegExp(`[${RANGES.map(([from, to]) => `${hex(from)}-${hex(to)}`).join('')}]`, 'g')

/** As JSON escapes them: JSON text stays JSON with the same values. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (char) => hex(char.charCodeAt(0)))
}

/**
 * Text that may be written to a terminal or a log: no control characters but line breaks, tabs and colors of `paint`.
 */
export function printed(text: string, colors: boolean): string {
  return text.replace(CONTROLS, (char) => {
    const code = colors ? SGR[char.charCodeAt(0) - FIRST_MARK] : undefined
    return code === undefined ? hex(char.charCodeAt(0)) : `\u001b[${code}m`
  })
}

/** The same on one line: for names, paths and excerpts. */
export function oneLine(text: string, longest = 200): string {
  const flat = escapeControls(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return flat.length > longest ? `${flat.slice(0, longest - 1)}…` : flat
}

export interface Paint {
  readonly bold: Ink
  readonly dim: Ink
  readonly red: Ink
  readonly green: Ink
  readonly yellow: Ink
  readonly cyan: Ink
}

type Ink = (text: string) => string

export function paint(colors: boolean): Paint {
  const mark = (code: number) => String.fromCharCode(FIRST_MARK + SGR.indexOf(code))
  const ink = (on: number, off: number): Ink => (colors ? (text) => mark(on) + text + mark(off) : (text) => text)
  return {
    bold: ink(1, 22),
    dim: ink(2, 22),
    red: ink(31, 39),
    green: ink(32, 39),
    yellow: ink(33, 39),
    cyan: ink(36, 39),
  }
}

/** `1,234,567`. Not `toLocaleString`: loading its tables takes as long as checking a session. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3}){1,7}$)/g, ',')
}

export function plural(count: number, one: string): string {
  return `${grouped(count)} ${count === 1 ? one : `${one}s`}`
}

export function bytesText(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  let at = 0
  let value = size
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at++
  }
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`
}

export function ageText(mtimeMs: number, now: number = Date.now()): string {
  const seconds = Math.max(0, (now - mtimeMs) / 1000)
  if (seconds < 90) return 'now'
  if (seconds < 5400) return `${Math.round(seconds / 60)} min ago`
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h ago`
  return `${Math.round(seconds / 86_400)} days ago`
}
