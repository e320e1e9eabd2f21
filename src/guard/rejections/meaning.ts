/**
 * What a text means: the combination of concepts that fits one of its sentences best. Combinations with more concepts
 * are more specific, and win.
 */
import { conceptsIn, type Lexicon, lexiconOf, type Seen, wordsIn } from './concepts.ts'
import { meanings, sayings, things } from './lexicon.ts'

interface Combination {
  readonly meaning: string
  readonly terms: readonly string[]
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
  return { lexicon: lexiconOf(rowsOf(things), rowsOf(sayings)), combinations: combinationsOf(rowsOf(meanings)) }
}

export function rowsOf(table: string): readonly (readonly [name: string, content: string])[] {
  const lines = table.split('\n').filter((line) => line !== '')
  return lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
}

/** Made when the first error is read: most programs never need it. */
let known: Reader | undefined
function reader(): Reader {
  known ??= readerOf(things, sayings, meanings)
  return known
}

function combinationsOf(meanings: ReturnType<typeof rowsOf>): Combinations {
  const found = new Map<string, Combination[]>()
  let order = 0
  for (const [meaning, lines] of meanings)
    for (const line of lines.split(' | ')) {
      const terms = line.split(' ')
      const score = terms.reduce((sum, term) => sum + (term.startsWith('!') ? 0 : /[<>]/.test(term) ? 2 : 1), 0)
      const first = terms[0]!.split(/[<>]/)[0]!
      found.set(first, [...(found.get(first) ?? []), { meaning, terms, score, order: order++ }])
    }
  return found
}

/** Longer texts are read by the sentence: far apart, two concepts have nothing to do with each other. */
const SHORT = 600
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
  return text.length < SHORT && sentences.length > 1 ? [...sentences, text] : sentences
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

function holds(term: string, seen: readonly Seen[]): boolean {
  if (term.startsWith('!')) return !holds(term.slice(1), seen)
  const [, left, sign, right] = /^([^<>]+)(?:([<>])(.+))?$/.exec(term)!
  if (sign === undefined) return seen.some(({ concept }) => concept === term)
  const [marker, thing, step] = sign === '>' ? [left, right!, 1] : [right, left!, -1]
  return seen.some(({ concept }, i) => concept === marker && nextThing(seen, i + step, step, thing) === thing)
}

/** Wide things are passed over on the way to another one. */
const WIDE: ReadonlySet<string> = new Set(['message', 'content', 'model', 'parameter', 'assistant', 'user'])

function nextThing(seen: readonly Seen[], from: number, step: number, wanted: string): string | undefined {
  for (let i = from; i >= 0 && i < seen.length; i += step) {
    const { thing, concept } = seen[i]!
    if (thing && (concept === wanted || !WIDE.has(concept))) return concept
  }
  return undefined
}
