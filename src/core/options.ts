/**
 * Checks arguments and options of public functions. A wrong name or type becomes a `SutureError` that names what was
 * expected, what was given and the likely name. Ranges and combinations are checked where they are used.
 */
import { SutureError } from './error.ts'

/** Returns what was expected if the value is wrong. */
export type Check = (value: unknown, name: string) => string | undefined

/** What a value must be: a type by name, one of several words, or a check of its own. */
export type Kind = keyof typeof types | readonly string[] | Check

/** Every option of `T` with its type. It is next to the interface: a new option without an entry does not compile. */
export type OptionTable<T> = { readonly [K in keyof T]-?: Kind }

const types = {
  any: ['', () => true],
  string: ['a string', (value) => typeof value === 'string'],
  name: ['a non-empty string', (value) => typeof value === 'string' && value !== ''],
  id: ['a non-empty string of at most 300 characters without NUL', isId],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  number: ['a number', (value) => typeof value === 'number' && !Number.isNaN(value)],
  count: ['a whole number from 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  positive: ['a number above 0', (value) => typeof value === 'number' && value > 0],
  function: ['a function', (value) => typeof value === 'function'],
  object: ['an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  list: ['an array', (value) => Array.isArray(value)],
  strings: ['an array of strings', (value) => Array.isArray(value) && value.every((one) => typeof one === 'string')],
} satisfies Record<string, readonly [string, (value: unknown) => boolean]>

/** What every store can index: PostgreSQL takes no NUL, and no key of more than 2,700 bytes. */
function isId(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= 300 && !value.includes('\0')
}

/** Throws for a name that is not in the table and for a value of the wrong type. `of` names the options in messages. */
export function checkOptions<T>(of: string, options: unknown, table: OptionTable<T>): void {
  if (options === undefined) return
  if (!types.object[1](options)) checkValue(`The options of ${of}`, options, 'object')
  for (const name of Object.keys(options as object)) {
    if (!Object.hasOwn(table, name)) throw unknownName('option', name, Object.keys(table), ` of ${of}`)
    const value = (options as Record<string, unknown>)[name]
    if (value === undefined) continue
    const expected = expectedOf(table[name as keyof T], value, name)
    if (expected !== undefined)
      throw wrong(
        `Option "${name}" of ${of} must be ${expected}, but got ${given(value)}. Correct it or leave it out.`,
        {
          name,
        },
      )
  }
}

/** Throws unless an argument is of this kind. `step` is the next step, a sentence. */
export function checkValue(what: string, value: unknown, kind: Kind, step = ''): void {
  const expected = expectedOf(kind, value, what)
  if (expected !== undefined)
    throw wrong(`${what} must be ${expected}, but got ${given(value)}.${step === '' ? '' : ` ${step}`}`, {})
}

/** A table inside a table. */
export function nested<T>(of: string, table: OptionTable<T>): Check {
  return (value) => void checkOptions(of, value, table) as undefined
}

/** An array of words from a list that is known: rule ids, recoveries. */
export function wordsOf(what: string, known: () => readonly string[]): Check {
  return (value, name) => {
    if (!Array.isArray(value)) return `an array of ${what} ids`
    for (const word of value)
      if (!known().includes(word)) throw unknownName(what, String(word), known(), ` in "${name}"`)
    return undefined
  }
}

/** A dialect object, by what every function needs of it. */
export const isDialect: Check = (value) =>
  typeof (value as { read?: unknown } | undefined | null)?.read === 'function' ? undefined : 'a dialect object'

/** The error for a name that does not exist: with the one that was probably meant, else with all there are. */
export function unknownName(what: string, name: string, known: readonly string[], where = ''): SutureError {
  const near = suggest(name, known)
  const step = near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean "${near}"?`
  return wrong(`Unknown ${what} "${name.slice(0, 80)}"${where}. ${step}`, { name })
}

/** The known name that is nearest to a mistyped one, if any is near. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const name of known) {
    const longest = Math.max(word.length, name.length)
    const apart = longest > LONGEST ? longest : distance(plain(word), plain(name))
    if (apart >= least || apart > Math.max(1, Math.floor(longest / 3))) continue
    best = name
    least = apart
  }
  return best
}

/** ` Did you mean "x"? Known: x, y, z.`, after a sentence that names what was given. */
export function knownNames(name: unknown, known: readonly string[]): string {
  const near = typeof name === 'string' ? suggest(name, known) : undefined
  return `${near === undefined ? '' : ` Did you mean "${near}"?`} Known: ${known.join(', ')}.`
}

/** The error for the id of a dialect that does not exist. */
export function unknownDialect(dialect: unknown, known: readonly string[]): SutureError {
  return new SutureError('unknown-dialect', `Unknown dialect ${given(dialect)}.${knownNames(dialect, known)}`, {
    dialect,
  })
}

/** What a value is, for a message. A long text may be content or a key and is not quoted. */
export function given(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `a string of ${value.length} characters` : `"${value}"`
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object' || value === null) return String(value)
  const keys = Object.keys(value)
  return `an object ${keys.length === 0 ? 'without keys' : `with the keys ${keys.slice(0, 8).join(', ')}`}`
}

const LONGEST = 64

function expectedOf(kind: Kind, value: unknown, name: string): string | undefined {
  if (typeof kind === 'function') return kind(value, name)
  if (typeof kind === 'string') return types[kind][1](value) ? undefined : types[kind][0]
  if (kind.includes(value as string)) return undefined
  const near = typeof value === 'string' ? suggest(value, kind) : undefined
  return `one of ${kind.join(', ')}${near === undefined ? '' : ` (did you mean "${near}"?)`}`
}

function wrong(message: string, detail: Readonly<Record<string, unknown>>): SutureError {
  return new SutureError('bad-option', message, detail)
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll('_', '-')
}

/** Edits between two words, row by row; two letters in the wrong order count as one. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same, swapped ? before[j - 2]! + 1 : Infinity)
    }
    before = row
    row = next
  }
  return row[other.length]!
}
