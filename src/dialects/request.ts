/** Requests of a dialect: their path, their body, and the text in an event of the reply. */
import { isObject, type JsonObject, tryParseJson } from '../core/index.ts'

export interface DeclaredTool {
  readonly name: string
  readonly description: string | undefined
  readonly schema: object
}

export interface RequestInput {
  readonly model: string
  readonly history: readonly unknown[]
  readonly system: string | undefined
  readonly tools: readonly DeclaredTool[]
  /** The model may not call tools. They stay declared: histories with calls and prompt caches need them. */
  readonly answerOnly: boolean
}

/** A piece of a streamed reply. */
export interface Delta {
  readonly type: 'text' | 'reasoning'
  readonly text: string
}

export interface RequestForm {
  path(model: string): string
  readonly headers?: Readonly<Record<string, string>>
  body(input: RequestInput): JsonObject
  deltas(value: JsonObject, event: string | undefined): readonly (readonly [Delta['type'], unknown])[]
}

/** These fields, if the list has elements. */
export function ifAny(list: readonly unknown[], fields: object): object {
  return list.length > 0 ? fields : {}
}

/** A tool declaration whose schema is under this key. */
export function declaration({ name, description, schema }: DeclaredTool, key: string): JsonObject {
  return { name, ...(description === undefined ? {} : { description }), [key]: schema }
}

/** The text in one event. */
export function* deltasIn(form: RequestForm, data: string, event: string | undefined): Generator<Delta> {
  const value = tryParseJson(data)
  if (!isObject(value)) return
  for (const [type, text] of form.deltas(value, event))
    if (typeof text === 'string' && text !== '') yield { type, text }
}
