/**
 * The tools a request declares, in whatever shape.
 */
import { isObject, type JsonObject, own } from '../core/index.ts'

const NONE: readonly unknown[] = []

/** The list of declarations, groups opened. */
export function declarations(body: JsonObject): readonly unknown[] {
  if (body['tools'] === undefined && body['toolConfig'] === undefined && body['functions'] === undefined) return NONE
  const places = [own(body, 'tools'), own(own(body, 'toolConfig'), 'tools'), own(body, 'functions')]
  const tools = places.filter((place) => Array.isArray(place)).flat() as unknown[]
  return tools.flatMap((tool) => {
    const group = own(tool, 'functionDeclarations') ?? own(tool, 'function_declarations')
    // One declaration is taken for a list of one.
    return Array.isArray(group) ? group : [isObject(group) ? group : tool]
  })
}

export function nameOf(declaration: unknown): unknown {
  for (const key of ['function', 'toolSpec', 'custom']) {
    const inner = own(declaration, key)
    if (isObject(inner)) return own(inner, 'name')
  }
  return own(declaration, 'name')
}
