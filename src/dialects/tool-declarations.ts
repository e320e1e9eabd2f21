/** The tools that a request declares, and declarations of tools that only the history names. */
import { isObject, type JsonObject, own } from '../core/index.ts'
import { listOf } from './blocks.ts'

/** The description of a tool that is only in the history. */
export const NOT_AVAILABLE = 'Used earlier in this conversation. Not available now.'
export const ANY_OBJECT = { type: 'object', properties: {} }

/** The names in a list of declarations; `under`: the key of a declaration that holds its name. */
export function namesIn(tools: unknown, under?: string): readonly (string | undefined)[] {
  return listOf(tools).map((tool) => {
    const inner = under === undefined ? undefined : own(tool, under)
    const name = own(isObject(inner) ? inner : tool, 'name')
    return typeof name === 'string' && (under === undefined || isObject(inner)) ? name : undefined
  })
}

/** Gemini groups declarations; a single one counts as a list of one. */
export function groupedNames({ tools }: JsonObject): readonly (string | undefined)[] {
  return listOf(tools).flatMap((tool) => {
    const group = own(tool, 'functionDeclarations') ?? own(tool, 'function_declarations')
    return group === undefined ? [undefined] : namesIn(Array.isArray(group) ? group : [group])
  })
}
