import { type Dialect, type Part, readMessage } from '../core/index.ts'
import { checkOptions, checkValue, isDialect, type OptionTable } from '../core/options.ts'
import type { Estimate } from './estimate.ts'

const ASKED = 600
const ANSWERED = 300
/** Lines written by a digest. Other text in the previous summary is kept as long as possible. */
const OURS = /^- (?:The user said: |The assistant said: |Tools used: |\(Earlier lines were left out\)$)/
const LEFT_OUT = '- (Earlier lines were left out)'

export interface DigestOptions {
  readonly dialect: Dialect
  readonly estimate: Estimate
  /** The previous summary, or ''. */
  readonly prior: string
  /** Maximum length in tokens. */
  readonly maxTokens: number
}

const DIGEST: OptionTable<DigestOptions> = {
  dialect: isDialect,
  estimate: 'function',
  prior: 'string',
  maxTokens: 'number',
}

/**
 * A summary made without a model: per turn what the user asked, what was answered, which tools were used.
 * Deterministic. Lines of the previous digest are kept; the oldest lines are dropped if there is no space.
 */
export function digest(head: readonly unknown[], options: DigestOptions): string {
  checkValue('The head', head, 'list')
  checkValue('The options of digest', options, 'object', 'Pass { dialect, estimate, prior, maxTokens }.')
  checkOptions('digest', options, DIGEST)
  const { dialect, estimate, prior, maxTokens: max } = options
  checkValue('Option "dialect" of digest', dialect, isDialect)
  checkValue('Option "estimate" of digest', estimate, 'function')
  checkValue('Option "prior" of digest', prior, 'string')
  const { words, lines: before } = takeUp(prior, max, estimate)
  let room = max - 12 - estimate(words)
  const lines: string[] = []
  let all = true
  // Newest first, until there is no space: only the end of a long history is read.
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
  const closing = function* (): Generator<string> {
    if (answer !== '') yield `- The assistant said: ${brief(answer, ANSWERED)}`
    // Counted backward, listed in the order of the calls.
    const used = [...tools].reverse().map(([name, times]) => `${name} (${times})`)
    if (used.length > 0) yield `- Tools used: ${used.join(', ')}`
    tools = new Map()
    answer = ''
  }
  for (let i = head.length - 1; i >= 0; i--) {
    const { role, parts } = readMessage(head[i], dialect)
    const text = role === 'user' || role === 'assistant' ? textOf(parts) : ''
    if (role === 'user' && text !== '') {
      yield* closing()
      yield `- The user said: ${brief(text, ASKED)}`
    } else if (role === 'assistant') {
      if (answer === '') answer = text
      for (const { kind, name = 'a tool' } of parts.toReversed()) {
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
  // Text that leaves no space for new lines is treated like lines: its newest lines stay.
  return estimate(words) > max * 0.7
    ? { words: '', lines: all }
    : { words, lines: all.filter((line) => OURS.test(line)) }
}

/** The text parts, one per line. */
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
