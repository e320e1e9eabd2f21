import { asList, isObject, wordOf } from './json.ts'
import type { JsonObject } from './types.ts'

/** A value that a JSON schema allows: the first choice everywhere, and only required fields if some are required. */
export function sample(schema: unknown, name = 'value', root: unknown = schema, depth = 0): unknown {
  if (!isObject(schema) || depth > 8) return name
  if ('const' in schema) return schema['const']
  if ('default' in schema) return schema['default']
  const first = firstOf(schema['enum']) ?? firstOf(schema['examples'])
  if (first !== undefined) return first
  const inner = target(schema, root)
  if (inner !== undefined) return sample(inner, name, root, depth + 1)
  switch (typeOf(schema)) {
    case 'object':
      return fields(schema, root, depth)
    case 'array':
      return items(schema, name, root, depth)
    case 'number':
    case 'integer':
      return numberIn(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return text(schema, name)
  }
}

function target(schema: JsonObject, root: unknown): unknown {
  const ref = schema['$ref']
  if (typeof ref === 'string' && ref.startsWith('#/')) {
    const keys = ref.slice(2).split('/')
    return keys.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), root)
  }
  const [all] = asList(schema['allOf'])
  return all ?? firstOf(schema['anyOf']) ?? firstOf(schema['oneOf'])
}

// Gemini's schemas write their types in capitals; JSON Schema may list several.
function typeOf(schema: JsonObject): string {
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  if (typeof type === 'string') return type.toLowerCase()
  return isObject(schema['properties']) ? 'object' : 'string'
}

function fields(schema: JsonObject, root: unknown, depth: number): JsonObject {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = asList(schema['required']).filter((key) => typeof key === 'string')
  const keys = required.length > 0 ? required : Object.keys(properties)
  return Object.fromEntries(keys.map((key) => [key, sample(properties[key] ?? {}, key, root, depth + 1)]))
}

function items(schema: JsonObject, name: string, root: unknown, depth: number): unknown[] {
  const count = Math.min(Math.max(Number(schema['minItems'] ?? 1), 1), 100)
  return Array.from({ length: count }, () => sample(schema['items'] ?? {}, name, root, depth + 1))
}

function numberIn(schema: JsonObject): number {
  const above = schema['exclusiveMinimum']
  const least = schema['minimum'] ?? (typeof above === 'number' ? above + 1 : undefined)
  if (typeof least === 'number') return least
  const most = schema['maximum'] ?? schema['exclusiveMaximum']
  return typeof most === 'number' && most <= 1 ? most - 1 : 1
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function text(schema: JsonObject, name: string): string {
  const word = FORMATS[wordOf(schema['format'])] ?? name
  const most = Number(schema['maxLength'] ?? Number.POSITIVE_INFINITY)
  return word.padEnd(Math.min(Number(schema['minLength'] ?? 0), 10_000), '.').slice(0, most)
}

function firstOf(list: unknown): unknown {
  return asList(list)[0]
}
