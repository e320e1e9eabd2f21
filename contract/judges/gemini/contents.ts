/**
 * Reading a Gemini list. Field names come in camel or snake case.
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
  // The snake name is made only when the camel name is absent: this is read for every part.
  return field(part, camel) ?? field(part, snakeOf(camel))
}

export interface Content {
  readonly model: boolean
  readonly calls: number
  readonly responses: number
  /** Someone else than the model calls. */
  readonly foreign: boolean
}

export function read(content: Json): Content {
  const parts = partsOf(content)
  const count = (name: string) => parts.filter((part) => !isAbsent(camelOrSnake(part, name))).length
  const model = content.role === 'model'
  const calls = count('functionCall')
  return { model, calls: model ? calls : 0, responses: count('functionResponse'), foreign: !model && calls > 0 }
}
