/**
 * A summary without a model: what the user asked, what was answered, which tools were used, turn by turn.
 * Deterministic; the one before is taken up line by line, and the oldest lines go when there is no more room.
 */
import type { Dialect, Part } from '../core/index.ts'
import { rowsOf } from './rows.ts'
import type { Estimate } from './tokens.ts'

/** So many messages hold more lines than any digest has room for. */
const READ = 800
const ASKED = 600
const ANSWERED = 300
/** Lines that a digest wrote; anything else in a summary so far is somebody's own words and goes last. */
const OURS = /^- (?:The user said: |The assistant said: |Tools used: |\(\d+ earlier lines)/
const LEFT_OUT = /^- \((\d+) earlier lines were left out\)$/

export interface DigestOptions {
  readonly dialect: Dialect
  readonly estimate: Estimate
  /** The summary so far. */
  readonly prior: string
  /** Tokens it may take. */
  readonly max: number
}

export function digest(head: readonly unknown[], { dialect, estimate, prior, max }: DigestOptions): string {
  const { words, lines } = takeUp(prior, max, estimate)
  let tools = new Map<string, number>()
  let answer = ''
  const close = (): void => {
    if (tools.size > 0)
      lines.push(`- Tools used: ${[...tools].map(([name, times]) => `${name} (${times})`).join(', ')}`)
    if (answer !== '') lines.push(`- The assistant said: ${brief(answer, ANSWERED)}`)
    tools = new Map()
    answer = ''
  }
  // Only the newest lines stay, so only the newest messages are read.
  for (const { role, parts } of rowsOf(head.slice(-READ), dialect).rows) {
    const text = textOf(parts)
    if (role === 'user' && text !== '') {
      close()
      lines.push(`- The user said: ${brief(text, ASKED)}`)
    } else if (role === 'assistant') {
      if (text !== '') answer = text
      for (const { kind, name } of parts)
        if (kind === 'call') tools.set(name ?? 'a tool', (tools.get(name ?? 'a tool') ?? 0) + 1)
    }
  }
  close()
  const rest = newest(lines, max - estimate(words), estimate)
  return [words, rest].filter(Boolean).join('\n')
}

function takeUp(prior: string, max: number, estimate: Estimate): { words: string; lines: string[] } {
  const all = prior === '' ? [] : prior.split('\n')
  const words = all.filter((line) => !OURS.test(line)).join('\n')
  // Words that leave no room for anything new are treated like all lines: the newest of them stay.
  return estimate(words) > max * 0.7
    ? { words: '', lines: all }
    : { words, lines: all.filter((line) => OURS.test(line)) }
}

/** The lines that fit, the newest ones, and how many did not. */
function newest(lines: readonly string[], max: number, estimate: Estimate): string {
  const before = LEFT_OUT.exec(lines[0] ?? '')
  const said = before ? lines.slice(1) : lines
  let left = max - 12
  let from = said.length
  while (from > 0) {
    left -= estimate(said[from - 1]!) + 1
    if (left < 0) break
    from--
  }
  const gone = from + (before ? Number(before[1]) : 0)
  return [...(gone > 0 ? [`- (${gone} earlier lines were left out)`] : []), ...said.slice(from)].join('\n')
}

/** The words of a message that are not a note of ours. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .filter(({ kind, body }) => kind === 'text' && typeof body === 'string')
    .map(({ body }) => (body as string).trim())
    .filter(Boolean)
    .join('\n')
}

function brief(text: string, length: number): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`
}
