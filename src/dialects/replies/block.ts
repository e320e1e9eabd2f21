/** Blocks of a reply that come in pieces, each with an index. */
import type { JsonObject } from '../../core/json.ts'

export interface Block {
  readonly index: number
  readonly block: Record<string, unknown>
  /** The input of a call, if it comes in pieces. */
  json: string | undefined
  closed: boolean
}

export function append(block: Record<string, unknown>, key: string, text: unknown): void {
  if (typeof text === 'string') block[key] = typeof block[key] === 'string' ? block[key] + text : text
}

export function inOrder(blocks: ReadonlyMap<number, Block>): readonly Block[] {
  return [...blocks.values()].sort((one, other) => one.index - other.index)
}

/** The blocks as one message, or none. Claude rejects a message that ends with reasoning. */
export function messageOf(blocks: readonly JsonObject[], isReasoning: (block: unknown) => boolean): readonly unknown[] {
  const content = blocks.slice(0, blocks.findLastIndex((block) => !isReasoning(block)) + 1)
  return content.length === 0 ? [] : [{ role: 'assistant', content }]
}
