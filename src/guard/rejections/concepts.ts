/** Reads the concepts of a text: words are looked up in the lexicon, phrase by phrase. One pass, no backtracking. */

/** A concept at its place in the text. `thing`: something that a text can be about. */
export interface Seen {
  readonly concept: string
  readonly thing: boolean
}

interface Node {
  readonly next: Map<string, Node>
  concepts?: string[]
}

export interface Lexicon {
  readonly things: Node
  readonly sayings: Node
}

type Wordings = readonly (readonly [concept: string, phrases: string])[]

/** Ids in the formats of providers, and runs of letters and digits that are no words. */
const IDS =
  /\b(?:toolu|tooluse|srvtoolu|call|fc|fco|rs|msg|ws|resp|ctc|item|run|thread|req|chatcmpl|lsc|ci)_(?!ids?\b|index|block)\w{3,}|\b(?=\w{0,30}\d)\w{20,}/gi
/** Indexes in a path, and the steps of Bedrock's lists. */
const PLACES = /\[[\w{}<>*]{0,8}\]|\.(?:\d{1,7}|[NM*]|<\w>|member)(?![\w])/g

/** The words of a text: lower case, full-width forms as plain ones, camelCase and snake_case apart, without endings. */
export function wordsIn(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replace(PLACES, ' ')
    .replace(IDS, ' ')
    .replace(/\b([A-Z]{2,8})s\b/g, '$1')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/n[\u2019']t\b/g, ' not')
    .replace(/\bcan ?not\b|\bca not\b/g, 'can not')
  return (plain.match(/\p{Script=Latin}+|\p{Script=Cyrillic}+|\p{Lo}|\d+/gu) ?? []).map(stem)
}

/** Endings do not matter. */
function stem(word: string): string {
  let left = word
  while (left.length > 4 && !left.endsWith('ss')) {
    const shorter = left.replace(/(?:ing|ed|es|s|e)$/, '')
    if (shorter === left) break
    left = shorter
  }
  return left
}

export function lexiconOf(things: Wordings, sayings: Wordings): Lexicon {
  return { things: tree(things), sayings: tree(sayings) }
}

function tree(wordings: Wordings): Node {
  const root: Node = { next: new Map() }
  for (const [concept, phrases] of wordings)
    for (const phrase of phrases.split('|')) {
      let node = root
      for (const word of wordsIn(phrase)) {
        const next = node.next.get(word) ?? { next: new Map() }
        node.next.set(word, next)
        node = next
      }
      node.concepts = [...(node.concepts ?? []), concept]
    }
  return root
}

/** The concepts of a text in order. Of things the longest wording counts, and its words mean no other thing. */
export function conceptsIn(words: readonly string[], { things, sayings }: Lexicon): Seen[] {
  const seen: Seen[] = []
  let thingEnd = 0
  for (let i = 0; i < words.length; i++) {
    for (const concept of allAt(words, i, sayings)) seen.push({ concept, thing: false })
    if (i < thingEnd) continue
    const found = longest(words, i, things)
    for (const concept of found?.concepts ?? []) seen.push({ concept, thing: true })
    thingEnd = found?.end ?? i
  }
  return seen
}

function longest(words: readonly string[], from: number, root: Node): { concepts: string[]; end: number } | undefined {
  let node: Node | undefined = root
  let found: { concepts: string[]; end: number } | undefined
  for (let i = from; node; i++) {
    if (node.concepts) found = { concepts: node.concepts, end: i }
    node = i < words.length ? node.next.get(words[i]!) : undefined
  }
  return found
}

function allAt(words: readonly string[], from: number, root: Node): string[] {
  const found: string[] = []
  let node: Node | undefined = root
  for (let i = from; node; i++) {
    if (node.concepts) found.push(...node.concepts)
    node = i < words.length ? node.next.get(words[i]!) : undefined
  }
  return found
}
