/**
 * What a text means: the combination of concepts that fits one of its sentences best. Combinations with more concepts
 * are more specific, and win.
 */
import { conceptsIn, type Lexicon, lexiconOf, type Seen, wordsIn } from './concepts.ts'
import { meanings, sayings, things } from './lexicon.ts'

/** A concept, or a concept whose next thing in a direction is this one. */
interface Term {
  readonly not: boolean
  readonly concept: string
  readonly thing?: string
  readonly step: 1 | -1
}

interface Combination {
  readonly meaning: string
  readonly terms: readonly Term[]
  readonly score: number
  /** Its place in the file. */
  readonly order: number
}

/** Combinations by the concept that their first term needs. */
type Combinations = ReadonlyMap<string, readonly Combination[]>

export interface Meant {
  /** The rules and classes that fit equally well; empty: no meaning was found. */
  readonly meanings: readonly string[]
  readonly score: number
  readonly text: string
}

export interface Reader {
  readonly lexicon: Lexicon
  readonly combinations: Combinations
}

/** From the tables of the lexicon: lines of a name, a colon and what belongs to it. */
export function readerOf(things: string, sayings: string, meanings: string): Reader {
  const literal = [...new Set(meanings.match(/=[^\s<>]+/g))].map(
    (term) => [term, term.slice(1).replaceAll('_', ' ')] as const,
  )
  const lexicon = lexiconOf(rowsOf(things), [...rowsOf(sayings), ...literal])
  return { lexicon, combinations: combinationsOf(rowsOf(meanings)) }
}

export function rowsOf(table: string): readonly (readonly [name: string, content: string])[] {
  const lines = table.split('\n').filter((line) => line !== '')
  return lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
}

/** Made when the first error is read: most programs never need it. */
let known: Reader | undefined
const reader = (): Reader => (known ??= readerOf(things, sayings, meanings))

function combinationsOf(meanings: ReturnType<typeof rowsOf>): Combinations {
  const found = new Map<string, Combination[]>()
  let order = 0
  for (const [meaning, lines] of meanings)
    for (const line of lines.split(' | ')) {
      const terms = line.split(' ').map(termOf)
      const score = terms.reduce((sum, { not, thing }) => sum + (not ? 0 : thing === undefined ? 1 : 2), 0)
      const { concept } = terms[0]!
      found.set(concept, [...(found.get(concept) ?? []), { meaning, terms, score, order: order++ }])
    }
  return found
}

/** Longer texts are read by the sentence: far apart, two concepts have nothing to do with each other. */
const SHORT = 600
const LONGEST = 1500
/** Where an error is reported. Of two sentences that mean as much, one with such a word is the error. */
const REPORTS = /error|exception|fail|reject|invalid|\b[45]\d\d\b/i

/** The best meaning of all texts; of equals the earlier one, which is the more deeply wrapped. */
export function meaningOf(texts: readonly string[], { lexicon, combinations } = reader()): Meant {
  let best: Meant = { meanings: [], score: 0, text: '' }
  for (const text of texts)
    for (const sentence of windowsOf(text)) {
      const found = fitting(seenIn(sentence, lexicon), combinations)
      const score = found.score === 0 || !REPORTS.test(sentence) ? found.score : found.score + 0.25
      if (score > best.score) best = { meanings: found.meanings, score, text }
    }
  return best
}

function windowsOf(text: string): readonly string[] {
  const sentences = text.split(/[.!?;]\s|[\u3002\uff01\uff1b\uff1f\n]/).filter((one) => one.trim() !== '')
  const windows = text.length < SHORT && sentences.length > 1 ? [...sentences, text] : sentences
  return [...new Set(windows)].map((one) => one.slice(0, LONGEST))
}

const HISTORY =
  /\b(?:messages?|input|contents|history)(?:\.?\[|\.[\d<{*]|\.[NM]\.)|["'](?:messages|input|contents)["'],\s?\d/
const TOOLS = /\btools?(?:\.?\[|\.\d)|function_declarations\[|["']tools["'],\s?\d/

/** The concepts of a sentence, and whether it names a place in the history or in the tools. */
export function seenIn(sentence: string, lexicon = reader().lexicon): readonly Seen[] {
  const seen = conceptsIn(wordsIn(sentence), lexicon)
  if (HISTORY.test(sentence)) seen.unshift({ concept: '@history', thing: false })
  if (TOOLS.test(sentence)) seen.unshift({ concept: '@tools', thing: false })
  return seen
}

function fitting(seen: readonly Seen[], combinations: Combinations): { meanings: string[]; score: number } {
  let score = 0
  let best: Combination[] = []
  for (const concept of new Set(seen.map((one) => one.concept)))
    for (const one of combinations.get(concept) ?? []) {
      if (one.score < score || !one.terms.every((term) => holds(term, seen))) continue
      if (one.score > score) best = []
      score = one.score
      best.push(one)
    }
  const meanings = best.sort((a, b) => a.order - b.order).map(({ meaning }) => meaning)
  return { meanings: [...new Set(meanings)], score }
}

function termOf(written: string): Term {
  const [, not, left = '', sign, right = ''] = /^(!?)([^<>]+)(?:([<>])(.+))?$/.exec(written) ?? []
  if (sign === undefined) return { not: not === '!', concept: left, step: 1 }
  const [concept, thing, step] = sign === '>' ? ([left, right, 1] as const) : ([right, left, -1] as const)
  return { not: not === '!', concept, thing, step }
}

function holds({ not, concept, thing, step }: Term, seen: readonly Seen[]): boolean {
  const found = seen.some((one, i) => one.concept === concept && (thing === undefined || isNext(seen, i, step, thing)))
  return found !== not
}

/** Wide things are passed over on the way to another one. */
const WIDE: ReadonlySet<string> = new Set(['message', 'content', 'model', 'parameter', 'assistant', 'user'])

/** Concepts that are further apart have nothing to do with each other. */
const NEAR = 30

/** Whether the next thing in this direction is the wanted one. */
function isNext(seen: readonly Seen[], from: number, step: number, wanted: string): boolean {
  for (let i = from + step; Math.abs(i - from) <= NEAR && i >= 0 && i < seen.length; i += step) {
    const { thing, concept } = seen[i]!
    if (thing && (concept === wanted || !WIDE.has(concept))) return concept === wanted
  }
  return false
}
