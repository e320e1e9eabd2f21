/**
 * A call of Gemini's whose arguments come in pieces, each with the place it belongs to
 * (doc: Vertex AI, streaming of function call arguments). What cannot be placed makes the call one that is not run.
 */
import { isObject, type JsonObject, put } from '../../core/json.ts'

type Holder = Record<string, unknown> | unknown[]

export class StreamedCall {
  /** It did not come to its end, or a piece had no place. */
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

  /** The part as it would have come at once. */
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

/** `$.a[0]['b']` as its steps; nothing where it is anything else. */
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
  // A piece without a value says that the text before it is whole.
  if (value === undefined) return true
  const was = Object.hasOwn(holder, step) ? (holder as Record<string | number, unknown>)[step] : undefined
  put(holder, String(step), typeof value === 'string' && typeof was === 'string' ? was + value : value)
  return true
}

/** Lists are written without gaps: a place far after the end is not one that was meant. */
function fits(holder: Holder | undefined, step: string | number): holder is Holder {
  if (holder === undefined) return false
  return Array.isArray(holder) ? typeof step === 'number' && step <= holder.length : typeof step === 'string'
}
