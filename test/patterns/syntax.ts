/**
 * The structure of a regular expression, as far as an attack needs it: alternatives, sequences and quantifiers.
 * Character classes and escapes stay source text; the engine itself is asked which characters they match.
 */
export interface Atom {
  readonly kind: 'char' | 'group' | 'look' | 'empty'
  /** Source text of a character, a class or an escape. */
  readonly source: string
  /** Alternatives of a group or a lookaround. */
  readonly alternatives: readonly Sequence[]
}

export interface Term {
  readonly atom: Atom
  readonly min: number
  readonly max: number
}

export type Sequence = readonly Term[]

const EMPTY: Atom = { kind: 'empty', source: '', alternatives: [] }

export function parsePattern(source: string): readonly Sequence[] {
  return new Reader(source).alternatives()
}

class Reader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  alternatives(): readonly Sequence[] {
    const found: Sequence[] = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at++
      found.push(this.#sequence())
    }
    return found
  }

  #sequence(): Sequence {
    const terms: Term[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) {
      const atom = this.#atom()
      terms.push({ atom, ...this.#quantifier() })
    }
    return terms
  }

  #take(pattern: RegExp): string | undefined {
    const match = pattern.exec(this.#source.slice(this.#at))
    if (match) this.#at += match[0].length
    return match?.[0]
  }

  #atom(): Atom {
    if (this.#take(/^(?:\^|\$|\\[bB]|\\k<\w+>|\\[1-9]\d*)/) !== undefined) return EMPTY
    const look = this.#take(/^\(\?<?[=!]/)
    if (look !== undefined) return this.#group('look')
    if (this.#take(/^\((?:\?:|\?<\w+>)?/) !== undefined) return this.#group('group')
    const source =
      this.#take(/^\[(?:[^\]\\]|\\.)*\]/) ??
      this.#take(/^\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{\w+(?:=\w+)?\}|c[a-z]|.)/is) ??
      this.#take(/^[\s\S]/u)!
    return { kind: 'char', source, alternatives: [] }
  }

  #group(kind: 'group' | 'look'): Atom {
    const alternatives = this.alternatives()
    if (this.#source[this.#at] !== ')') throw new Error(`unclosed group in ${this.#source}`)
    this.#at++
    return { kind, source: '', alternatives }
  }

  #quantifier(): { min: number; max: number } {
    const text = this.#take(/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/)
    if (text === undefined) return { min: 1, max: 1 }
    if (text[0] === '*') return { min: 0, max: Number.POSITIVE_INFINITY }
    if (text[0] === '+') return { min: 1, max: Number.POSITIVE_INFINITY }
    if (text[0] === '?') return { min: 0, max: 1 }
    const [min, max] = text.slice(1, text.indexOf('}')).split(',')
    return {
      min: Number(min),
      max: max === undefined ? Number(min) : max === '' ? Number.POSITIVE_INFINITY : Number(max),
    }
  }
}
