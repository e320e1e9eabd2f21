/** Arguments of calls: which calls have JSON arguments, what they are, and what can be made of broken ones. */
import type { Part, Transcript } from '../../core/index.ts'

export interface ArgumentParams {
  /** Absent, null and empty arguments are accepted. */
  readonly emptyOk?: boolean
  /** What begins and ends like an object is taken for one and not parsed. For constraints that only warn. */
  readonly bracesOnly?: boolean
  /** Non-strings are reported by another rule. */
  readonly textsOnly?: boolean
}

/** All calls but free-form ones and those of built-in tools. */
export function hasJsonArguments({ dialect }: Transcript, call: Part): boolean {
  return (dialect.callForm?.(call) ?? 'json') === 'json'
}

export type JsonKind = 'object' | 'other' | 'broken'

/** What the text of a call's arguments holds. Parsed at most once: two rules ask. */
export function kindOfArguments(t: Transcript, { order, body }: Part, bracesOnly: boolean | undefined): JsonKind {
  const text = body as string
  if (bracesOnly && text.charCodeAt(0) === 123 && text.charCodeAt(text.length - 1) === 125) return 'object'
  const kinds = t.derive(kindOfArguments, (): JsonKind[] => [])
  kinds[order] ??= kindOfJson(text)
  return kinds[order]
}

function kindOfJson(text: string): JsonKind {
  try {
    JSON.parse(text)
  } catch {
    return 'broken'
  }
  // What parses and begins with a brace is an object.
  return text.charCodeAt(0) === 123 || text.trimStart().charCodeAt(0) === 123 ? 'object' : 'other'
}
