/**
 * Claude on Bedrock Converse (docs/rejections.md#bedrock): Anthropic's texts after a prefix. Judged only if the model
 * is named.
 */

import { PREFILL, TRAILING_WHITESPACE, thinkingExpected } from '../anthropic/content.ts'
import { field, isAbsent, isObject, textAt } from '../json.ts'
import { isClaude, isNewClaude, thinkingType } from '../models.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { blocksOf, messagesOf } from './read.ts'

const MODEL_FAULT = 'The model returned the following errors: '

/** docs/rejections.md#bedrock-last-assistant-prefill. */
export function prefill({ body, model }: JudgedRequest): Rejection | undefined {
  if (!isNewClaude(model) || messagesOf(body).at(-1)?.role !== 'assistant') return undefined
  return { rule: 'last-assistant-prefill', message: MODEL_FAULT + PREFILL }
}

/** docs/rejections.md#bedrock-trailing-whitespace. */
export function trailingWhitespace({ body, model }: JudgedRequest): Rejection | undefined {
  const last = messagesOf(body).at(-1)
  const text = textAt(blocksOf(last).at(-1), 'text')
  if (!isClaude(model) || last?.role !== 'assistant' || text === text.trimEnd()) return undefined
  return { rule: 'trailing-whitespace', message: MODEL_FAULT + TRAILING_WHITESPACE }
}

/** docs/rejections.md#bedrock-thinking-signature-missing, docs/rejections.md#bedrock-thinking-signature-invalid. */
export function signatures({ body, model }: JudgedRequest): Rejection | undefined {
  if (!isClaude(model)) return undefined
  for (const [i, message] of messagesOf(body).entries()) {
    for (const [j, block] of blocksOf(message).entries()) {
      const thought = block.reasoningContent
      if (!isObject(thought) || !isAbsent(thought.redactedContent)) continue
      const reasoning = thought.reasoningText
      if (textAt(reasoning, 'signature') !== '') continue
      const at = `${MODEL_FAULT}messages.${i}.content.${j}`
      return field(reasoning, 'signature') === ''
        ? { rule: 'thinking-signature-invalid', message: `${at}: Invalid \`signature\` in \`thinking\` block` }
        : { rule: 'thinking-signature-missing', message: `${at}.thinking.signature: Field required` }
    }
  }
  return undefined
}

/**
 * docs/rejections.md#bedrock-thinking-block-missing-before-tool-use: roles alternate here, so the last assistant
 * message is the whole turn.
 */
export function thinkingFirst({ body, model }: JudgedRequest): Rejection | undefined {
  const thinking = thinkingType(field(body, 'additionalModelRequestFields'))
  const messages = messagesOf(body)
  const i = messages.findLastIndex(({ role }) => role === 'assistant')
  const [first, ...rest] = blocksOf(messages[i])
  if (!isClaude(model) || thinking !== 'enabled' || !first || isObject(first.reasoningContent)) return undefined
  if (![first, ...rest].some((block) => isObject(block.toolUse))) return undefined
  return {
    rule: 'thinking-block-missing-before-tool-use',
    message: MODEL_FAULT + thinkingExpected(i, isObject(first.toolUse) ? 'tool_use' : 'text'),
  }
}
