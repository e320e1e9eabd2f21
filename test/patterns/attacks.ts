/**
 * Inputs that make a backtracking engine work hard, derived from a pattern: what a quantifier repeats, what comes
 * before it, and both in turns, with a tail that does not match.
 */
import { type Atom, parsePattern, type Sequence, type Term } from './syntax.ts'

/** One attack: `unit` is repeated to the wanted size between `before` and `after`. */
export interface Attack {
  readonly before: string
  readonly unit: string
  readonly after: string
}

/** Characters that classes are tried with. */
const POOL = 'a1 _-.\\"\'[]{}(),:;<>/=+*|`\n\tAé中\u0000'
/** Members of one class that are tried: one letter, one digit and so on would find the same. */
const MEMBERS = 3
const TAILS = ['', '\u0001']

export function textOf({ before, unit, after }: Attack, size: number): string {
  return before + unit.repeat(Math.max(1, Math.ceil(size / unit.length))) + after
}

export function attacksOn(pattern: RegExp): readonly Attack[] {
  const found = new Map<string, Attack>()
  const add = (before: string, unit: string): void => {
    if (unit === '') return
    for (const after of TAILS) found.set(JSON.stringify([before, unit, after]), { before, unit, after })
  }
  const alternatives = parsePattern(pattern.source)
  const flags = pattern.flags.replace(/[gy]/g, '')
  const prefixes = new Set<string>()
  for (const { before, units } of loopsIn(alternatives, '', flags)) {
    prefixes.add(before)
    for (const unit of units) {
      add('', unit)
      add(before, unit)
      add('', before + unit)
    }
    add('', before)
  }
  for (const before of prefixes) for (const char of new Set(before.slice(-2))) add('', char)
  return [...found.values()]
}

interface Loop {
  readonly before: string
  readonly units: readonly string[]
}

/** Quantifiers that repeat without a bound, or often, each with a shortest text that leads to it. */
function* loopsIn(alternatives: readonly Sequence[], before: string, flags: string): Generator<Loop> {
  for (const sequence of alternatives) {
    let prefixes = [before]
    for (const term of sequence) {
      for (const prefix of prefixes) {
        if (term.max > 8) yield { before: prefix, units: unitsOf(term.atom, flags) }
        yield* loopsIn(term.atom.alternatives, prefix, flags)
      }
      if (term.atom.kind !== 'look') prefixes = extended(prefixes, term, flags)
    }
    // A pattern without loops is still tried with its own words in a row.
    for (const prefix of prefixes) yield { before: prefix, units: [] }
  }
}

/** The texts so far with a term's own after them, with and without what is optional; a few of them are enough. */
function extended(prefixes: readonly string[], term: Term, flags: string): string[] {
  const [unit = ''] = unitsOf(term.atom, flags)
  const longer = prefixes.map((prefix) => prefix + unit.repeat(Math.max(term.min, 1)))
  return term.min > 0 ? longer : [...prefixes, ...longer].slice(0, 2)
}

/** Short texts that an atom matches. */
function unitsOf(atom: Atom, flags: string): string[] {
  if (atom.kind === 'empty' || atom.kind === 'look') return []
  if (atom.kind === 'char') return membersOf(atom.source, flags)
  return atom.alternatives.map((sequence) => sampleOf(sequence, flags)).filter((text) => text !== '')
}

function sampleOf(sequence: Sequence, flags: string): string {
  return sequence.map((term) => (unitsOf(term.atom, flags)[0] ?? '').repeat(Math.max(term.min, 1))).join('')
}

function membersOf(source: string, flags: string): string[] {
  const literal = /^\\?([^a-zA-Z0-9\\[.]|[a-zA-Z0-9])$/.exec(source)
  if (literal && (source.length === 1 || !/[a-zA-Z0-9]/.test(literal[1]!))) return [literal[1]!]
  const matches = new RegExp(`^(?:${source})$`, flags)
  return [...new Set([...POOL, ...source])].filter((char) => matches.test(char)).slice(0, MEMBERS)
}
