/**
 * Which calls of an answer may be run.
 * Arguments that do not parse are never replaced by an empty object: the tool would do something else than the model
 * wanted.
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
  /** The parsed arguments; undefined if the call cannot run with them. */
  readonly arguments: unknown
  /** The call is complete. */
  readonly ended: boolean
  /** The provider pairs by position and gives no ids. */
  readonly idless?: boolean
}

/** Adds the call to the calls or to the broken ones. True: it may run, and stays in the message. */
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

/** Arguments as an object. An empty text is an empty object: models call tools without parameters that way. */
export function argumentsOf(text: string): JsonObject | undefined {
  if (text.trim() === '') return {}
  const value = tryParseJson(text)
  return isObject(value) ? value : undefined
}
