/** Wrong use of the contract itself: an unknown option, a value of the wrong type. */

/** Thrown for wrong use of the contract's own functions. */
export class ContractError extends Error {
  override readonly name = 'ContractError'
  readonly code = 'wrong-use'
}

/** Each name with the `typeof` its value may have; `list` is an array. */
export type Table = Readonly<Record<string, readonly string[]>>

/** Throws if it is not an object, or has other names. */
export function checkObject(what: string, value: unknown, table: Table, step = ''): void {
  if (typeOf(value) !== 'object') throw new ContractError(`${what} must be an object, but got ${typeOf(value)}.${step}`)
  for (const [name, one] of Object.entries(value as object)) {
    const types = Object.hasOwn(table, name) ? table[name] : undefined
    if (!types) throw unknownName(`option of ${what}`, name, Object.keys(table))
    if (one === undefined || types.length === 0 || types.includes(typeOf(one))) continue
    throw new ContractError(`"${name}" of ${what} must be ${types.join(' or ')}, but got ${typeOf(one)}.`)
  }
}

export function unknownName(what: string, name: string, known: readonly string[]): ContractError {
  const near = nearest(name, known)
  const step = near === undefined ? `Known: ${known.join(', ')}.` : `Did you mean "${near}"?`
  return new ContractError(`Unknown ${what}: "${name}". ${step}`)
}

/** The known name that a mistyped one probably means. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const most = (name: string) => Math.max(1, Math.floor(Math.max(word.length, name.length) / 3))
  const near = known
    .map((name) => ({ name, apart: edits(word.slice(0, 64).toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, apart }) => apart <= most(name))
  return near.sort((a, b) => a.apart - b.apart)[0]?.name
}

/** Number of letters to add, remove or replace. */
function edits(from: string, to: string): number {
  let costs = [...Array(to.length + 1).keys()]
  for (const [i, letter] of [...from].entries()) {
    const row = [i + 1]
    for (let j = 0; j < to.length; j++)
      row.push(Math.min(row[j]! + 1, costs[j + 1]! + 1, costs[j]! + (letter === to[j] ? 0 : 1)))
    costs = row
  }
  return costs[to.length]!
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
