/**
 * A Gemini call whose arguments are streamed in pieces, each with its JSON path (doc: Vertex AI, streaming of function
 * call arguments). A piece without a valid path makes the call a broken one.
 */
import { isObject, type JsonObject, put } from '../../core/json.ts'

type Holder = Record<string, unknown> | unknown[]

export class StreamedCall {
  /** The call is incomplete, or a piece has no valid path. */
  broken = true
  readonly #first: JsonObject
  #rest: JsonObject = {}
  #call: JsonObject = {}
  #lost = false
  readonly #args: Record<string, unknown> = {}

  constructor(first: JsonObject) {
    this.#first = first
  }

  add(part: JsonObject, call: JsonObject): void {
    const { partialArgs, willContinue, args, ...named } = call
    this.#rest = { ...this.#rest, ...part }
    this.#call = { ...this.#call, ...named }
    if (isObject(args)) for (const key of Object.keys(args)) put(this.#args, key, args[key])
    if (Array.isArray(partialArgs)) for (const piece of partialArgs) this.#lost ||= !this.#place(piece)
    this.broken = this.#lost || willContinue === true
  }

  /** The part as if it had not been streamed. */
  part(): JsonObject {
    return { ...this.#first, ...this.#rest, functionCall: { ...this.#call, args: this.#args } }
  }

  #place(piece: unknown): boolean {
    if (!isObject(piece) || typeof piece['jsonPath'] !== 'string') return false
    const steps = stepsOf(piece['jsonPath'])
    const last = steps?.pop()
    if (!steps || last === undefined) return false
    let holder: Holder | undefined = this.#args
    for (const [at, step] of steps.entries()) holder = within(holder, step, steps[at + 1] ?? last)
    return holder !== undefined && write(holder, last, piece)
  }
}

/** The steps of a path such as `$.a[0]['b']`; undefined for another syntax. */
function stepsOf(path: string): (string | number)[] | undefined {
  const steps: (string | number)[] = []
  let at = 1
  for (const found of path.matchAll(/\.([^.[\]]+)|\[(\d{1,6})\]|\['([^'\\]*)'\]|\["([^"\\]*)"\]/g)) {
    if (found.index !== at) return
    at += found[0].length
    steps.push(found[2] === undefined ? (found[1] ?? found[3] ?? found[4] ?? '') : Number(found[2]))
  }
  return path.startsWith('$') && at === path.length ? steps : undefined
}

function within(holder: Holder | undefined, step: string | number, next: string | number): Holder | undefined {
  if (!fits(holder, step)) return
  const there = Object.hasOwn(holder, step) ? (holder as Record<string | number, unknown>)[step] : undefined
  if (there !== undefined) return typeof there === 'object' && there !== null ? (there as Holder) : undefined
  const made: Holder = typeof next === 'number' ? [] : {}
  put(holder, String(step), made)
  return made
}

function write(holder: Holder, step: string | number, piece: JsonObject): boolean {
  if (!fits(holder, step)) return false
  const { stringValue, numberValue, boolValue } = piece
  const value = stringValue ?? numberValue ?? boolValue ?? ('nullValue' in piece ? null : undefined)
  // A piece without a value ends the text before it.
  if (value === undefined) return true
  const was = Object.hasOwn(holder, step) ? (holder as Record<string | number, unknown>)[step] : undefined
  put(holder, String(step), typeof value === 'string' && typeof was === 'string' ? was + value : value)
  return true
}

/** Lists have no gaps: an index beyond the end is a mistake. */
function fits(holder: Holder | undefined, step: string | number): holder is Holder {
  if (holder === undefined) return false
  return Array.isArray(holder) ? typeof step === 'number' && step <= holder.length : typeof step === 'string'
}
