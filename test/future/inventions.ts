/**
 * Things that no provider has today: names made of syllables, values of any shape, and the places of a request where
 * they may appear.
 */
import { type Dialect, type JsonObject, type Part, Transcript, valueAt, withValueAt } from '../../src/core/index.ts'

export type Request = {
  readonly body: JsonObject
  readonly headers: Readonly<Record<string, string>>
}

/** A small generator of random numbers: the same seed gives the same requests. */
export class Dice {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  upTo(most: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.state / 2 ** 32) * most)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.upTo(list.length)]!
  }

  chance(percent: number): boolean {
    return this.upTo(100) < percent
  }
}

const SYLLABLES = 'va re lo ki mu tan sor del fi gra ble qua nox tri wen pha zu ro'.split(' ')

function syllables(dice: Dice): string {
  return Array.from({ length: 2 + dice.upTo(2) }, () => dice.pick(SYLLABLES)).join('')
}

/** `relo_kimu`, `reloKimu` or `relokimu`: no word of any format. */
export function inventName(dice: Dice): string {
  const [first, second] = [syllables(dice), syllables(dice)]
  return dice.pick([`${first}_${second}`, first + second[0]!.toUpperCase() + second.slice(1), `${first}x${second}`])
}

const NAME = new RegExp(`^(?:(?:${SYLLABLES.join('|')}|[_x]){4,}(?:_(?:call|tool_result|call_output|result))?)$`, 'i')

/** A JSON text with an invented name in it. */
export const INVENTED = new RegExp(`"${NAME.source.slice(1, -1)}"`, 'i')

/** Whether a name was made by `inventName`. */
export function isInvented(name: unknown): boolean {
  return typeof name === 'string' && NAME.test(name)
}

/** The value as a provider reads it to which all inventions mean nothing. */
export function withoutInventions(value: unknown): unknown {
  if (Array.isArray(value)) {
    const rest = value.map(withoutInventions).filter((one) => one !== GONE)
    return rest.length === 0 && value.length > 0 ? GONE : rest
  }
  if (typeof value !== 'object' || value === null) return value
  const { type, role } = value as JsonObject
  if (isInvented(type) || isInvented(role)) return GONE
  const entries = Object.entries(value).flatMap(([key, held]) => {
    const rest = isInvented(key) ? GONE : withoutInventions(held)
    return rest === GONE ? [] : [[key, rest] as const]
  })
  // A message that had nothing else.
  if (role !== undefined && entries.every(([key]) => key === 'role')) return GONE
  return entries.length === 0 && Object.keys(value).length > 0 ? GONE : Object.fromEntries(entries)
}

const GONE = Symbol('an invention')

export function inventValue(dice: Dice, ids: readonly string[], depth = 0): unknown {
  switch (dice.upTo(depth > 2 ? 5 : 8)) {
    case 0:
      return true
    case 1:
      return 1 + dice.upTo(9000)
    case 2:
      return syllables(dice)
    case 3:
      return ids.length > 0 ? dice.pick(ids) : `ref_${syllables(dice)}`
    case 4:
      return `${syllables(dice)} ${syllables(dice)}`
    case 5:
      return Array.from({ length: 1 + dice.upTo(3) }, () => inventValue(dice, ids, depth + 1))
    default:
      return inventObject(dice, ids, depth + 1)
  }
}

function inventObject(dice: Dice, ids: readonly string[], depth = 0): JsonObject {
  const names = Array.from({ length: 1 + dice.upTo(3) }, () => inventName(dice))
  return Object.fromEntries(names.map((name) => [name, inventValue(dice, ids, depth)]))
}

const KEYED = ['gemini', 'bedrock-converse']

/** A block of a new type, as the dialect names types. */
export function inventBlock(dice: Dice, { id }: Dialect, ids: readonly string[]): JsonObject {
  const name = inventName(dice)
  if (KEYED.includes(id)) return { [name]: inventObject(dice, ids) }
  const type = dice.pick([name, `${name}_result`, `${name}_tool_result`, `${name}_call`, `${name}_call_output`])
  const named =
    ids.length > 0 && dice.chance(50)
      ? { [dice.pick(['id', 'call_id', 'tool_use_id', inventName(dice)])]: dice.pick(ids) }
      : {}
  return { type, ...named, ...inventObject(dice, ids) }
}

/** An item of a new type, or a message of a new role. */
export function inventMessage(dice: Dice, dialect: Dialect, ids: readonly string[]): JsonObject {
  if (dialect.items && dice.chance(70)) return inventBlock(dice, dialect, ids)
  const text = syllables(dice)
  const content =
    dialect.id === 'gemini' ? { parts: [{ text }] } : { content: KEYED.includes(dialect.id) ? [{ text }] : text }
  return {
    role: inventName(dice),
    ...content,
    ...(dice.chance(50) ? { [inventName(dice)]: inventValue(dice, ids) } : {}),
  }
}

export function historyOf({ body }: Request, { key }: Dialect): readonly unknown[] {
  return body[key] as readonly unknown[]
}

export function withHistory({ body, headers }: Request, { key }: Dialect, history: readonly unknown[]): Request {
  return { body: { ...body, [key]: history }, headers }
}

/** An invention inside of something that is known. */
function inventShape(dice: Dice, ids: readonly string[]): JsonObject {
  return { type: inventName(dice), ...inventObject(dice, ids, 1) }
}

function pathOf(part: Part): (string | number)[] {
  return part.index < 0 ? [part.message, ...part.list] : [part.message, ...part.list, part.index]
}

function inserted<T>(list: readonly T[], index: number, value: T): T[] {
  return [...list.slice(0, index), value, ...list.slice(index)]
}

function setKey(
  request: Request,
  dialect: Dialect,
  path: readonly (string | number)[],
  key: string,
  value: unknown,
): Request {
  return withHistory(request, dialect, withValueAt(historyOf(request, dialect), [...path, key], value))
}

type Change = (request: Request, dialect: Dialect, dice: Dice, ids: readonly string[]) => Request | undefined

/** Adds something new to a request. */
export const additions: Readonly<Record<string, Change>> = {
  'a key of the request': ({ body, headers }, _dialect, dice, ids) => ({
    body: { ...body, [inventName(dice)]: inventValue(dice, ids) },
    headers,
  }),
  'a version or a beta feature': ({ body, headers }, _dialect, dice) => {
    const name = dice.pick([
      'anthropic-version',
      'anthropic-beta',
      'openai-beta',
      'api-version',
      'x-goog-api-revision',
      'openai-version',
    ])
    const value = dice.pick([
      `20${27 + dice.upTo(9)}-0${1 + dice.upTo(8)}-1${dice.upTo(9)}`,
      `${inventName(dice)}-2027-01-01`,
    ])
    return { body, headers: { ...headers, [name]: value } }
  },
  'a message or an item': (request, dialect, dice, ids) => {
    const history = historyOf(request, dialect)
    return withHistory(
      request,
      dialect,
      inserted(history, dice.upTo(history.length + 1), inventMessage(dice, dialect, ids)),
    )
  },
  'a block': (request, dialect, dice, ids) => {
    const history = historyOf(request, dialect)
    const key = dialect.blocks?.[0] ?? 'content'
    const lists = history.flatMap((message, i) => (Array.isArray(valueAt(message, [key])) ? [i] : []))
    if (lists.length === 0) return undefined
    const at = dice.pick(lists)
    const list = valueAt(history, [at, key]) as readonly unknown[]
    return setKey(
      request,
      dialect,
      [at],
      key,
      inserted(list, dice.upTo(list.length + 1), inventBlock(dice, dialect, ids)),
    )
  },
  'a key of a message': (request, dialect, dice, ids) =>
    setKey(request, dialect, [dice.upTo(historyOf(request, dialect).length)], inventName(dice), inventValue(dice, ids)),
  'a key of a call or a result': (request, dialect, dice, ids) => {
    const { calls, results } = new Transcript(historyOf(request, dialect), dialect)
    if (calls.length === 0) return undefined
    const part = dice.pick([...calls, ...results])
    const inner = KEYED.includes(dialect.id) && dice.chance(50) ? [part.type] : []
    return setKey(request, dialect, [...pathOf(part), ...inner], inventName(dice), inventValue(dice, ids))
  },
  'another role': (request, dialect, dice) => {
    const history = historyOf(request, dialect)
    const at = dice.upTo(history.length)
    return valueAt(history, [at, 'role']) === undefined
      ? undefined
      : setKey(request, dialect, [at], 'role', inventName(dice))
  },
}

/** Lists of blocks inside of results, and objects that are no data of tools, as paths. */
function placesIn(value: unknown, path: (string | number)[] = []): { lists: Path[]; objects: Path[] } {
  if (typeof value !== 'object' || value === null) return { lists: [], objects: [] }
  const inner = Object.entries(value)
    .filter(([key]) => !DATA.test(key))
    .map(([key, held]) => placesIn(held, [...path, Array.isArray(value) ? Number(key) : key]))
  const isList = Array.isArray(value)
  return {
    lists: [...(isList && path.length > 2 ? [path] : []), ...inner.flatMap(({ lists }) => lists)],
    objects: [...(isList ? [] : [path]), ...inner.flatMap(({ objects }) => objects)],
  }
}

type Path = readonly (string | number)[]
/** Keys under which a provider reads nothing. */
const DATA = /^(?:input|args|arguments|parameters|response|json|data|bytes)$/

/** Anywhere, however deep. */
export const deepAdditions: Readonly<Record<string, Change>> = {
  'a key at any depth': (request, dialect, dice, ids) => {
    const { objects } = placesIn(historyOf(request, dialect))
    return setKey(request, dialect, dice.pick(objects) as (string | number)[], inventName(dice), inventValue(dice, ids))
  },
  'a block at any depth': (request, dialect, dice, ids) => {
    const { lists } = placesIn(historyOf(request, dialect))
    if (lists.length === 0) return undefined
    const path = dice.pick(lists)
    const list = valueAt(historyOf(request, dialect), path) as readonly unknown[]
    const [key, ...rest] = [...path].reverse()
    const block = inventBlock(dice, dialect, ids)
    return setKey(request, dialect, rest.reverse(), String(key), inserted(list, dice.upTo(list.length + 1), block))
  },
}

/** Takes a part of the history away and says with something new where it is. */
export const replacements: Readonly<Record<string, Change>> = {
  'an object for a value': (request, dialect, dice, ids) => {
    const objects = placesIn(historyOf(request, dialect)).objects
    const path = dice.pick(objects)
    const keys = Object.keys(valueAt(historyOf(request, dialect), path) as object).filter((key) => !DATA.test(key))
    if (keys.length === 0) return undefined
    return setKey(request, dialect, path as (string | number)[], dice.pick(keys), inventShape(dice, ids))
  },
  'a history that continues elsewhere': (request, dialect, dice, ids) => {
    const history = historyOf(request, dialect)
    const rest = withHistory(request, dialect, history.slice(dice.upTo(history.length)))
    return additions[dice.pick(['a key of the request', 'a version or a beta feature'])]!(rest, dialect, dice, ids)
  },
  'an item for the messages before': (request, dialect, dice, ids) => {
    const history = historyOf(request, dialect)
    const rest = history.slice(dice.upTo(history.length))
    return withHistory(request, dialect, [inventMessage(dice, dialect, ids), ...rest])
  },
  'a result of a new type': (request, dialect, dice, ids) => {
    const { results } = new Transcript(historyOf(request, dialect), dialect)
    if (results.length === 0) return undefined
    const part = dice.pick(results)
    if (dialect.id === 'openai-chat') return setKey(request, dialect, pathOf(part), 'role', inventName(dice))
    const value = part.value as JsonObject
    const other = KEYED.includes(dialect.id)
      ? { [inventName(dice)]: value[part.type] }
      : { ...value, type: `${inventName(dice)}_result`, ...inventObject(dice, ids) }
    return withHistory(request, dialect, withValueAt(historyOf(request, dialect), pathOf(part), other) as unknown[])
  },
  'a call that stays open': (request, dialect, dice, ids) => {
    const history = historyOf(request, dialect)
    const { calls, pairs } = new Transcript(history, dialect)
    const open = calls.flatMap((call, i) => (pairs.results[i] && pairs.results[i]!.message > call.message ? [i] : []))
    if (open.length === 0) return undefined
    const at = dice.pick(open)
    const call = calls[at]!
    const inner = KEYED.includes(dialect.id) && dice.chance(50) ? [call.type] : []
    const marked = setKey(request, dialect, [...pathOf(call), ...inner], inventName(dice), inventValue(dice, ids))
    return without(marked, dialect, pairs.results[at]!)
  },
  'a block that answers a call': (request, dialect, dice, ids) => {
    const { calls, pairs } = new Transcript(historyOf(request, dialect), dialect)
    const open = calls.flatMap((call, i) => (pairs.results[i] && pairs.results[i]!.message > call.message ? [i] : []))
    if (open.length === 0) return undefined
    const at = dice.pick(open)
    const result = pairs.results[at]!
    const rest = without(request, dialect, result)
    const answer = [calls[at]!.id ?? ids[0] ?? 'x']
    const history = historyOf(rest, dialect)
    const message =
      dialect.items || !dialect.blocks
        ? inventMessage(dice, dialect, answer)
        : {
            role: valueAt(historyOf(request, dialect), [result.message, 'role']),
            [dialect.blocks[0]!]: [inventBlock(dice, dialect, answer)],
          }
    return withHistory(rest, dialect, inserted(history, Math.min(result.message, history.length), message))
  },
}

/** The request without this result; its message goes if nothing is left of it. */
export function without(request: Request, dialect: Dialect, result: Part): Request {
  const history = historyOf(request, dialect)
  const list = result.index < 0 ? [] : (valueAt(history, [result.message, ...result.list]) as readonly unknown[])
  const rest = list.filter((_, i) => i !== result.index)
  if (rest.length === 0)
    return withHistory(
      request,
      dialect,
      history.filter((_, i) => i !== result.message),
    )
  return withHistory(request, dialect, withValueAt(history, [result.message, ...result.list], rest) as unknown[])
}
