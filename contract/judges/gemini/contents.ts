/**
 * Reads a Gemini list. Field names are in camel case or snake case.
 */

import { field, isAbsent, isObject, type Json } from '../json.ts'

/** One object where a list is expected counts as a list of one. */
export function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? [value] : []
}

export function contentsOf(body: unknown): readonly Json[] {
  return asList(field(body, 'contents')) as readonly Json[]
}

export function partsOf(content: Json): readonly Json[] {
  return asList(content.parts) as readonly Json[]
}

export function snakeOf(camel: string): string {
  return camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function camelOrSnake(part: unknown, camel: string): unknown {
  // The snake-case name is built only if the camel-case name is absent: this runs for every part.
  return field(part, camel) ?? field(part, snakeOf(camel))
}

export interface Content {
  readonly model: boolean
  readonly calls: number
  readonly responses: number
  /** A message of another role than the model has calls. */
  readonly foreign: boolean
}

export function read(content: Json): Content {
  const parts = partsOf(content)
  const count = (name: string) => parts.filter((part) => !isAbsent(camelOrSnake(part, name))).length
  const model = content.role === 'model'
  const calls = count('functionCall')
  return { model, calls: model ? calls : 0, responses: count('functionResponse'), foreign: !model && calls > 0 }
}
