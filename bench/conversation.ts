/**
 * Conversations of an agent with tools, independent of a dialect, with the sizes and kinds of real ones.
 * `native.ts` makes native messages of them.
 */
import type { Sizes } from './random.ts'
import { argumentsOf, logs, prose, signature } from './texts.ts'

export interface Call {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly result: string
  readonly failed: boolean
}

export interface Answer {
  readonly thinking: Thinking | undefined
  readonly text: string
}

export interface Thinking {
  readonly id: string
  readonly text: string
  readonly signature: string
}

/** One API round trip: an answer with calls, and their results. */
export interface Round extends Answer {
  readonly calls: readonly Call[]
  /** A signature for the first call, for providers that sign calls. */
  readonly signature: string
}

/** From one prompt up to the next. The last turn of a history that is about to be sent has no answer yet. */
export interface Turn {
  readonly prompt: string
  readonly rounds: readonly Round[]
  readonly answer: Answer | undefined
}

export type IdKind = 'call' | 'toolu' | 'tooluse' | 'nine' | 'kimi'

/** What a provider and its model want, as far as it is more than the wire format. */
export interface Style {
  readonly ids: IdKind
  /** Answers carry thoughts, in the way of the dialect. */
  readonly thinking: boolean
  /** Words beside calls: sometimes, always (where empty content is rejected) or never. */
  readonly beside: 'some' | 'always' | 'never'
  /** A system message opens the list, where the dialect has it there. */
  readonly system: boolean
  /** Items of the Responses API carry the ids they came with. */
  readonly itemIds: boolean
}

const TOOLS = ['read_file', 'bash', 'search_code', 'edit_file', 'get_order_details', 'web_fetch'] as const
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

export interface Extent {
  /** Factor for the length of texts. */
  readonly scale?: number
  /** One call a round. */
  readonly narrow?: boolean
}

/** Makes turn after turn; ids are never used twice. */
export class Conversation {
  private readonly random: Sizes
  private readonly style: Style
  private readonly scale: number
  private readonly narrow: boolean
  private calls = 0

  constructor(random: Sizes, style: Style, { scale = 1, narrow = false }: Extent = {}) {
    this.random = random
    this.style = style
    this.scale = scale
    this.narrow = narrow
  }

  /** A turn of up to eight rounds. */
  turn(isLast: boolean): Turn {
    return this.turnOf(this.random.below(9), isLast)
  }

  turnOf(rounds: number, isLast: boolean): Turn {
    return {
      prompt: prose(this.random, this.size(40, 900)),
      rounds: Array.from({ length: rounds }, () => this.round()),
      answer: isLast ? undefined : this.answer(this.size(60, 1500)),
    }
  }

  private round(): Round {
    const { beside } = this.style
    const words = beside === 'always' || (beside === 'some' && this.random.chance(50))
    const width = this.narrow || this.random.chance(75) ? 1 : 2 + this.random.below(3)
    return {
      ...this.answer(words ? this.size(30, 400) : 0),
      calls: Array.from({ length: width }, () => this.call()),
      signature: this.signature('CpAB'),
    }
  }

  private size(least: number, most: number): number {
    return Math.ceil(this.random.size(least, most) * this.scale)
  }

  private signature(start: string): string {
    return signature(this.random, start, this.size(200, 800))
  }

  private answer(size: number): Answer {
    return { thinking: this.thinking(), text: size === 0 ? '' : prose(this.random, size) }
  }

  private thinking(): Thinking | undefined {
    if (!this.style.thinking) return undefined
    const text = prose(this.random, this.size(80, 1200))
    return { id: `rs_${this.letters(40)}`, text, signature: this.signature('EqQB') }
  }

  private call(): Call {
    const failed = this.random.chance(6)
    const name = this.random.pick(TOOLS)
    const result = logs(this.random, failed ? this.size(60, 400) : this.size(200, 4000))
    return { id: this.id(name), name, args: argumentsOf(this.random, this.scale), result, failed }
  }

  private id(name: string): string {
    const number = this.calls++
    switch (this.style.ids) {
      case 'nine':
        return number.toString(36).padStart(9, '0')
      case 'kimi':
        return `functions.${name}:${number}`
      case 'toolu':
        return `toolu_01${this.letters(16)}${number.toString(36).padStart(6, '0')}`
      case 'tooluse':
        return `tooluse_${this.letters(16)}${number.toString(36).padStart(6, '0')}`
      case 'call':
        return `call_${this.letters(18)}${number.toString(36).padStart(6, '0')}`
    }
  }

  private letters(count: number): string {
    let text = ''
    for (let i = 0; i < count; i++) text += LETTERS[this.random.below(LETTERS.length)]
    return text
  }
}
