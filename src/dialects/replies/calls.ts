/**
 * Which calls of an answer may be run.
 * Arguments that do not parse are never taken for an empty object: such a call would run something that was not asked for.
 */
import { isObject, type JsonObject } from '../../core/json.ts'
import type { BrokenCall, ReplyCall } from '../../core/reply.ts'
import { tryParseJson } from '../../core/spelling.ts'
import { word } from '../blocks.ts'

export interface Calls {
  readonly calls: ReplyCall[]
  readonly broken: BrokenCall[]
}

export interface Draft {
  readonly id: unknown
  readonly name: unknown
  /** As the model wrote them. */
  readonly text: string
  /** What they say; nothing where they say nothing that can be run. */
  readonly arguments: unknown
  /** The call came to its end. */
  readonly ended: boolean
  /** The provider pairs by place and gives no ids. */
  readonly idless?: boolean
}

/** Puts a call where it belongs. Whether it may be run, and so stay in the message. */
export function sort(draft: Draft, { calls, broken }: Calls): boolean {
  const id = word(draft.id)
  const name = word(draft.name)
  const { text } = draft
  const why = whyNot(draft, id, name)
  if (why === undefined) calls.push({ id: id ?? '', name: name!, arguments: draft.arguments, text })
  else broken.push({ ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }), text, why })
  return why === undefined
}

function whyNot(draft: Draft, id: string | undefined, name: string | undefined): BrokenCall['why'] | undefined {
  if (!draft.ended) return 'unfinished'
  if (id === undefined && !draft.idless) return 'no-id'
  if (name === undefined) return 'no-name'
  return draft.arguments === undefined ? 'arguments' : undefined
}

/** Arguments as an object. None at all are an empty one: models call tools without parameters that way. */
export function argumentsOf(text: string): JsonObject | undefined {
  if (text.trim() === '') return {}
  const value = tryParseJson(text)
  return isObject(value) ? value : undefined
}
