/**
 * Reading a Converse list.
 */

import { type Json, listAt } from '../json.ts'

export function messagesOf(body: unknown): readonly Json[] {
  return listAt(body, 'messages') as readonly Json[]
}

export function blocksOf(message: unknown): readonly Json[] {
  return listAt(message, 'content') as readonly Json[]
}
