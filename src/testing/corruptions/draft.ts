/**
 * A copy of a history that a corruption works on. It is read through its dialect, so that one corruption serves all
 * dialects; changes are made to the native values themselves.
 */
import { type Change, type Dialect, type Part, type Role, readMessage, valueAt, withValueAt } from '../../core/index.ts'
import type { Random } from './random.ts'

type Native = Record<string, unknown>

export class Draft {
  readonly messages: unknown[]
  readonly dialect: Dialect
  readonly random: Random

  constructor(history: readonly unknown[], dialect: Dialect, random: Random) {
    this.messages = structuredClone(history) as unknown[]
    this.dialect = dialect.variantFor?.(history) ?? dialect
    this.random = random
  }

  /** The current parts. Their positions are valid until a message or part is added or removed. */
  parts(kind?: Part['kind']): readonly Part[] {
    const parts = this.messages.flatMap((_, index) => this.partsOf(index))
    return kind ? parts.filter((part) => part.kind === kind && !part.server) : parts
  }

  partsOf(message: number): readonly Part[] {
    return readMessage(this.messages[message], this.dialect, message).parts
  }

  role(message: number): Role {
    return readMessage(this.messages[message], this.dialect).role
  }

  /** A random part of this kind; undefined if there is none. */
  pick(kind: Part['kind']): Part | undefined {
    const parts = this.parts(kind)
    return parts.length === 0 ? undefined : this.random.pick(parts)
  }

  /** Indices of messages with client-side calls whose results come later. */
  rounds(): readonly number[] {
    const answered = new Set(this.parts('result').map(({ id }) => id))
    const calling = this.parts('call').filter(({ id }) => answered.has(id))
    return [...new Set(calling.map(({ message }) => message))]
  }

  /** Changes a random message whose calls have results; false if there is none, or if `change` returns false. */
  changeRound(change: (message: number) => boolean | void): boolean {
    const rounds = this.rounds()
    return rounds.length > 0 && change(this.random.pick(rounds)) !== false
  }

  /** Changes a random part of this kind; false if there is none, or if `change` returns false. */
  changePart(kind: Part['kind'], change: (part: Part) => boolean | void): boolean {
    const part = this.pick(kind)
    return part !== undefined && change(part) !== false
  }

  /** Changes the arguments or the content of a random part, in a way that the dialect would not. */
  changeBody(kind: Part['kind'], change: (holder: Native, key: string, part: Part) => boolean | void): boolean {
    return this.changePart(kind, (part) => {
      const found = this.holderOf(part)
      return found !== undefined && change(found.holder, found.key, part) !== false
    })
  }

  /** The last message of the same answer: results follow after it. */
  lastOfAnswer(message: number): number {
    let last = message
    while (this.dialect.items && this.partsOf(last + 1).some(({ kind, server }) => kind === 'call' && !server)) last++
    return last
  }

  replace(part: Part, value: unknown): void {
    if (part.index >= 0) (valueAt(this.messages[part.message], part.list) as unknown[])[part.index] = value
    else this.messages[part.message] = withValueAt(this.messages[part.message], part.list, value)
  }

  write(part: Part, change: Change): void {
    this.replace(part, this.dialect.write(part, part.value, change))
  }

  /** Removes the part, and its message if it is then empty. */
  remove(part: Part): void {
    if (part.index < 0 && part.list.length === 0) this.messages.splice(part.message, 1)
    else if (part.index < 0) this.clean(part, withValueAt(this.messages[part.message], part.list, ''))
    else {
      const list = valueAt(this.messages[part.message], part.list) as unknown[]
      this.clean(part, withValueAt(this.messages[part.message], part.list, list.toSpliced(part.index, 1)))
    }
  }

  insert(at: number, ...messages: readonly unknown[]): void {
    this.messages.splice(at, 0, ...messages)
  }

  text(role: 'user' | 'assistant', text: string): unknown {
    return this.dialect.textMessage(role, text)
  }

  /** The object and key of this part's arguments, content or text, for changes that the dialect would not make. */
  holderOf(part: Part): { readonly holder: Native; readonly key: string } | undefined {
    return part.body === undefined ? undefined : holderIn(part.value, part.body, 3)
  }

  private clean(part: Part, message: unknown): void {
    const cleaned = this.dialect.cleanUp(message, this.messages[part.message])
    this.messages.splice(part.message, 1, ...(cleaned === undefined ? [] : [cleaned]))
  }
}

function holderIn(value: unknown, body: unknown, depth: number): { holder: Native; key: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 0) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (inner === body) return { holder: value as Native, key }
    const found = holderIn(inner, body, depth - 1)
    if (found) return found
  }
  return undefined
}
