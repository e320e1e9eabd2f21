/**
 * Anthropic, calls and results. Neighboring messages of one role count as one turn
 * (docs/rejections.md#accepted-anthropic): results are at the very start of the user turn that follows, in any order,
 * and any other block ends them.
 */

import { textAt } from '../json.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { type Block, blocksIn, blocksOf, reject } from './blocks.ts'
import { messagesOf } from './shape.ts'

/** docs/rejections.md#anthropic-tool-call-id-duplicate: unique over the whole request, before anything is paired. */
export function callIdDuplicate({ body }: JudgedRequest): Rejection | undefined {
  const seen = new Set<string>()
  for (const { type, block, at } of blocksOf(body)) {
    if (type !== 'tool_use') continue
    const id = textAt(block, 'id')
    if (id !== '' && seen.has(id)) return reject('tool-call-id-duplicate', `${at}: \`tool_use\` ids must be unique`)
    seen.add(id)
  }
  return undefined
}

interface Turn {
  role: unknown
  /** The calls of the last assistant turn, each with the index of its message. */
  calls: Map<string, number>
  answered: Set<string>
  /** A block that is not a result was found: results after it answer nothing. */
  ended: boolean
}

/**
 * tool-result-missing, -not-adjacent, -orphan, -duplicate (docs/rejections.md#anthropic-tool-result-missing and the
 * rows near it).
 */
export function pairing({ body }: JudgedRequest): Rejection | undefined {
  const results = new Set<string>()
  for (const { type, block } of blocksOf(body)) {
    if (type === 'tool_result') results.add(textAt(block, 'tool_use_id'))
  }
  let turn = newTurn(undefined)
  for (const [i, message] of messagesOf(body).entries()) {
    if (message.role === 'assistant' && turn.role !== 'assistant') {
      const rejection = unanswered(turn, results)
      if (rejection) return rejection
      turn = newTurn('assistant')
    }
    turn.role = message.role
    if (message.role !== 'assistant' && typeof message.content === 'string') turn.ended = true
    for (const block of blocksIn(message, i)) {
      const rejection = step(turn, block)
      if (rejection) return rejection
    }
  }
  return unanswered(turn, results)
}

function newTurn(role: unknown): Turn {
  return { role, calls: new Map(), answered: new Set(), ended: false }
}

function step(turn: Turn, { type, block, at, i }: Block): Rejection | undefined {
  if (type === 'tool_result') return answer(turn, textAt(block, 'tool_use_id'), at)
  if (type === 'tool_use') turn.calls.set(textAt(block, 'id'), i)
  if (turn.role !== 'assistant') turn.ended = true
  return undefined
}

function answer(turn: Turn, id: string, at: string): Rejection | undefined {
  if (turn.role === 'assistant' || !turn.calls.has(id))
    return reject(
      'tool-result-orphan',
      `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    )
  if (id !== '' && turn.answered.has(id))
    return reject(
      'tool-result-duplicate',
      `${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
    )
  if (!turn.ended) turn.answered.add(id)
  return undefined
}

function unanswered(turn: Turn, results: ReadonlySet<string>): Rejection | undefined {
  const open = [...turn.calls].filter(([id]) => !turn.answered.has(id))
  const i = open[0]?.[1]
  if (i === undefined) return undefined
  const ids = open.filter(([, at]) => at === i).map(([id]) => id)
  const misplaced = ids.every((id) => results.has(id))
  return reject(misplaced ? 'tool-result-not-adjacent' : 'tool-result-missing', unansweredText(i, ids))
}

function unansweredText(i: number, ids: readonly string[]): string {
  return `messages.${i}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
}

/**
 * A text block after a call, with the text of a missing result. Disputed, so judged only on request
 * (docs/rejections.md#anthropic-text-after-tool-call).
 */
export function textAfterCall({ body, disputed }: JudgedRequest): Rejection | undefined {
  if (!disputed) return undefined
  for (const [i, message] of messagesOf(body).entries()) {
    if (message.role !== 'assistant') continue
    const ids: string[] = []
    for (const { type, block } of blocksIn(message, i)) {
      if (type === 'tool_use') ids.push(textAt(block, 'id'))
      else if (type === 'text' && ids.length > 0) return reject('text-after-tool-call', unansweredText(i, ids))
    }
  }
  return undefined
}

/**
 * docs/rejections.md#anthropic-server-tool-result-orphan: a result of a tool that the provider runs, without its call
 * before it.
 * The reverse, a call without a result, was recorded as accepted (docs/rejections.md#accepted-anthropic).
 */
export function serverResultOrphan({ body }: JudgedRequest): Rejection | undefined {
  const calls = new Set<string>()
  for (const { type, block, at } of blocksOf(body)) {
    if (type === 'server_tool_use' || type === 'mcp_tool_use') calls.add(textAt(block, 'id'))
    if (typeof type !== 'string' || !type.endsWith('_tool_result')) continue
    const id = textAt(block, 'tool_use_id')
    if (calls.has(id)) continue
    const call = type === 'mcp_tool_result' ? 'mcp_tool_use' : 'server_tool_use'
    return reject(
      'server-tool-result-orphan',
      `${at}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}. Each \`${type}\` block must have a corresponding \`${call}\` block before it.`,
    )
  }
  return undefined
}
