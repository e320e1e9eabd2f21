/**
 * Checks the arguments of a call against the tool's schema, with messages for the model.
 * Supports the part of JSON Schema that tools use; unknown keywords are ignored.
 */
import { equal, isObject, type JsonObject, orUndefined, own } from '../core/index.ts'

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** https://standardschema.dev, as far as it is used. */
export interface StandardSchema {
  readonly '~standard': {
    validate(value: unknown): Validated | Promise<Validated>
    readonly jsonSchema?: { input(options: { readonly target: string }): object }
  }
}

type Validated = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

/** The schema of a tool's arguments: JSON Schema, or a Standard Schema (Zod, Valibot). */
export type Schema = object | StandardSchema

/** The arguments as the tool gets them, or what is wrong with them. */
export type Checked = { readonly value: unknown } | { readonly wrong: readonly string[] }

const MOST = 8

export async function check(schema: Schema, value: unknown): Promise<Checked> {
  if (!('~standard' in schema)) {
    const wrong = [...faults(schema, value, '', schema, 0)].slice(0, MOST)
    return wrong.length > 0 ? { wrong } : { value }
  }
  const found = await schema['~standard'].validate(value)
  return found.issues ? { wrong: found.issues.slice(0, MOST).map(worded) } : { value: found.value }
}

/** The schema that is declared to the model. */
export function declaredOf(schema: Schema, declared: object | undefined): object {
  if (declared) return declared
  if (!('~standard' in schema)) return schema
  return schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' }) ?? { type: 'object' }
}

function worded({ path = [], message }: Issue): string {
  const at = path.map((one) => `/${String(typeof one === 'object' ? one.key : one)}`).join('')
  return `${at || 'the arguments'}: ${message}`
}

/** Recursive schemas are checked down to this depth. */
const DEEPEST = 64

function* faults(given: unknown, value: unknown, at: string, root: object, depth: number): Generator<string> {
  const schema = refer(given, root)
  const fault = (what: string) => `${at || 'the arguments'}: ${what}`
  if (schema === false) yield fault('must not be there')
  if (!isObject(schema) || depth > DEEPEST) return
  const types = schema['type'] === undefined ? [] : [schema['type']].flat()
  if (types.length > 0 && !types.some((type) => isType(value, type))) {
    yield fault(`must be ${types.join(' or ')}`)
    return
  }
  if ('const' in schema && !equal(schema['const'], value)) yield fault(`must be ${JSON.stringify(schema['const'])}`)
  const choices = schema['enum']
  if (Array.isArray(choices) && !choices.some((one) => equal(one, value)))
    yield fault(`must be one of ${JSON.stringify(choices)}`)
  for (const [key, of, bad] of bounds) {
    const bound = schema[key]
    const size = of(value)
    if (typeof bound === 'number' && size !== undefined && bad(size, bound)) yield fault(`breaks ${key} ${bound}`)
  }
  const { pattern } = schema
  if (typeof pattern === 'string' && typeof value === 'string' && !matches(pattern, value))
    yield fault(`must match ${pattern}`)
  yield* joins(schema, value, at, root, depth)
  if (Array.isArray(value))
    for (const [i, one] of value.entries()) yield* faults(schema['items'], one, `${at}/${i}`, root, depth + 1)
  else if (isObject(value)) yield* members(schema, value, at, root, depth)
}

function* members(schema: JsonObject, value: JsonObject, at: string, root: object, depth: number): Generator<string> {
  const { required, properties } = schema
  for (const key of Array.isArray(required) ? required : [])
    if (!Object.hasOwn(value, key) || value[key] === undefined) yield `${at}/${key}: is missing`
  for (const key of Object.keys(value)) {
    const known = isObject(properties) && Object.hasOwn(properties, key)
    yield* faults(known ? properties[key] : schema['additionalProperties'], value[key], `${at}/${key}`, root, depth + 1)
  }
}

function* joins(schema: JsonObject, value: unknown, at: string, root: object, depth: number): Generator<string> {
  const fits = (one: unknown) => faults(one, value, at, root, depth + 1).next().done === true
  for (const one of listOf(schema['allOf'])) yield* faults(one, value, at, root, depth + 1)
  const any = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  if (any.length > 0 && !any.some(fits)) yield `${at || 'the arguments'}: matches none of the allowed schemas`
}

const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
const length = (value: unknown) => (typeof value === 'string' ? [...value].length : undefined)
const count = (value: unknown) => (Array.isArray(value) ? value.length : undefined)
const less = (size: number, bound: number) => size < bound
const more = (size: number, bound: number) => size > bound

const bounds: readonly (readonly [string, (value: unknown) => number | undefined, typeof less])[] = [
  ['minimum', number, less],
  ['maximum', number, more],
  ['exclusiveMinimum', number, (size, bound) => size <= bound],
  ['exclusiveMaximum', number, (size, bound) => size >= bound],
  ['minLength', length, less],
  ['maxLength', length, more],
  ['minItems', count, less],
  ['maxItems', count, more],
]

function isType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return isObject(value)
  return typeof value === type
}

/** An invalid pattern matches everything. */
function matches(pattern: string, value: string): boolean {
  return orUndefined(() => new RegExp(pattern, 'u').test(value)) ?? true
}

function refer(schema: unknown, root: object): unknown {
  const to = own(schema, '$ref')
  if (typeof to !== 'string' || !to.startsWith('#/')) return schema
  return to
    .slice(2)
    .split('/')
    .reduce<unknown>((value, key) => own(value, key), root)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
