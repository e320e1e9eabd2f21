/**
 * The blocks of an Anthropic list with their positions. String content has no blocks.
 */

import { field, isObject, type Json, listAt } from '../json.ts'
import type { Rejection } from '../rejection.ts'

export interface Block {
  readonly i: number
  readonly role: unknown
  readonly type: unknown
  readonly block: Json
  /** `messages.{i}.content.{j}` */
  readonly at: string
}

export function* blocksOf(body: unknown): Generator<Block> {
  for (const [i, message] of listAt(body, 'messages').entries()) yield* blocksIn(message, i)
}

export function* blocksIn(message: unknown, i: number): Generator<Block> {
  for (const [j, block] of listAt(message, 'content').entries()) {
    if (!isObject(block)) continue
    yield { i, role: field(message, 'role'), type: block.type, block, at: `messages.${i}.content.${j}` }
  }
}

export function reject(rule: string, message: string): Rejection {
  return { rule, message }
}
