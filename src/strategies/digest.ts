/**
 * A summary without a model: what the user asked, what was answered, which tools were used, turn by turn.
 * Deterministic; the one before is taken up line by line, and the oldest lines go when there is no more room.
 */
import type { Dialect, Part } from '../core/index.ts'
import { checkOptions, checkValue, isDialect, type OptionTable } from '../core/options.ts'
import type { Estimate } from './estimate.ts'

const ASKED = 600
const ANSWERED = 300
/** Lines that a digest wrote; anything else in a summary so far is somebody's own words and goes last. */
const OURS = /^- (?:The user said: |The assistant said: |Tools used: |\(Earlier lines were left out\)$)/
const LEFT_OUT = '- (Earlier lines were left out)'

export interface DigestOptions {
  readonly dialect: Dialect
  readonly estimate: Estimate
  /** The summary so far. */
  readonly prior: string
  /** Tokens it may take. */
  readonly max: number
}

const DIGEST: OptionTable<DigestOptions> = { dialect: isDialect, estimate: 'function', prior: 'string', max: 'number' }

export function digest(head: readonly unknown[], options: DigestOptions): string {
  checkValue('The head', head, 'list')
  checkValue('The options of digest', options, 'object', 'Pass { dialect, estimate, prior, max }.')
  checkOptions('digest', options, DIGEST)
  const { dialect, estimate, prior, max } = options
  checkValue('Option "dialect" of digest', dialect, isDialect)
  checkValue('Option "estimate" of digest', estimate, 'function')
  checkValue('Option "prior" of digest', prior, 'string')
  const { words, lines: before } = takeUp(prior, max, estimate)
  let room = max - 12 - estimate(words)
  const lines: string[] = []
  let all = true
  // From the newest on, and no further than there is room: of a long history only the last pages are read.
  for (const line of newestFirst(head, dialect, before)) {
    room -= estimate(line) + 1
    all = room >= 0 && line !== LEFT_OUT
    if (!all) break
    lines.push(line)
  }
  if (!all) lines.push(LEFT_OUT)
  return [words, lines.reverse().join('\n')].filter(Boolean).join('\n')
}

function* newestFirst(head: readonly unknown[], dialect: Dialect, before: readonly string[]): Generator<string> {
  let tools = new Map<string, number>()
  let answer = ''
  const parts: Part[] = []
  const closing = function* (): Generator<string> {
    if (answer !== '') yield `- The assistant said: ${brief(answer, ANSWERED)}`
    // Counted from behind, told in the order of the calls.
    const used = [...tools].reverse().map(([name, times]) => `${name} (${times})`)
    if (used.length > 0) yield `- Tools used: ${used.join(', ')}`
    tools = new Map()
    answer = ''
  }
  for (let i = head.length - 1; i >= 0; i--) {
    parts.length = 0
    const role = dialect.read(head[i], i, parts)
    const text = role === 'user' || role === 'assistant' ? textOf(parts) : ''
    if (role === 'user' && text !== '') {
      yield* closing()
      yield `- The user said: ${brief(text, ASKED)}`
    } else if (role === 'assistant') {
      if (answer === '') answer = text
      for (const { kind, name = 'a tool' } of parts.reverse()) {
        if (kind !== 'call') continue
        const times = (tools.get(name) ?? 0) + 1
        tools.delete(name)
        tools.set(name, times)
      }
    }
  }
  yield* closing()
  yield* before.toReversed()
}

function takeUp(prior: string, max: number, estimate: Estimate): { words: string; lines: string[] } {
  const all = prior === '' ? [] : prior.split('\n')
  const words = all.filter((line) => !OURS.test(line)).join('\n')
  // Words that leave no room for anything new are treated like all lines: the newest of them stay.
  return estimate(words) > max * 0.7
    ? { words: '', lines: all }
    : { words, lines: all.filter((line) => OURS.test(line)) }
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

/** What is said in these messages. */
export function textIn(messages: readonly unknown[], dialect: Dialect): string {
  const parts: Part[] = []
  messages.forEach((message, i) => void dialect.read(message, i, parts))
  return textOf(parts)
}
