/**
 * Bedrock Converse (docs/rejections.md#bedrock), turns: their content and their order.
 */

import { field, isAbsent, isBlank, isObject, type Json, listAt, textAt } from '../json.ts'
import { isClaude } from '../models.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { blocksOf, messagesOf } from './read.ts'

/** docs/rejections.md#bedrock-content-empty, docs/rejections.md#bedrock-text-blank. */
export function content({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    const blocks = blocksOf(message)
    if (blocks.length === 0)
      return {
        rule: 'content-empty',
        message: `The content field in the Message object at messages.${i} is empty. Add a ContentBlock object to the content field and try again.`,
      }
    const j = blocks.findIndex(({ text }) => typeof text === 'string' && isBlank(text))
    if (j >= 0)
      return {
        rule: 'text-blank',
        message: `The text field in the ContentBlock object at messages.${i}.content.${j} is blank. Add text to the text field, and try again.`,
      }
  }
  return undefined
}

/** docs/rejections.md#bedrock-role-order. */
export function roleOrder({ body }: JudgedRequest): Rejection | undefined {
  const messages = messagesOf(body)
  if (messages.every(({ role }, i) => role !== messages[i - 1]?.role)) return undefined
  return {
    rule: 'role-order',
    message:
      'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
  }
}

/** docs/rejections.md#bedrock-first-not-user. */
export function firstTurn({ body }: JudgedRequest): Rejection | undefined {
  if (messagesOf(body)[0]?.role !== 'assistant') return undefined
  return {
    rule: 'first-not-user',
    message:
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
  }
}

/** tool-arguments-not-object: vercel/ai#16561, vercel/ai#19023. */
export function callInput({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    const j = blocksOf(message).findIndex(({ toolUse }) => isObject(toolUse) && !isObject(toolUse.input))
    if (j >= 0)
      return {
        rule: 'tool-arguments-not-object',
        message: `The format of the value at messages.${i}.content.${j}.toolUse.input is invalid. Provide a json object for the field and try again.`,
      }
  }
  return undefined
}

/** docs/rejections.md#bedrock-tools-undeclared-with-history. */
export function toolConfig({ body }: JudgedRequest): Rejection | undefined {
  const uses = ({ toolUse, toolResult }: Json) => isObject(toolUse) || isObject(toolResult)
  if (!isAbsent(field(body, 'toolConfig')) || !messagesOf(body).some((message) => blocksOf(message).some(uses)))
    return undefined
  return {
    rule: 'tools-undeclared-with-history',
    message: 'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
  }
}

/**
 * docs/rejections.md#bedrock-tool-call-role: a call is "a tool use request from a model" (API reference of
 * ContentBlock), so only the assistant makes one; text not seen.
 */
export function callers({ body }: JudgedRequest): Rejection | undefined {
  const i = messagesOf(body).findIndex((message) => message.role === 'user' && callsIn(message).length > 0)
  if (i < 0) return undefined
  return {
    rule: 'tool-call-role',
    message: `messages.${i}.content: toolUse blocks can only be provided by the assistant.`,
  }
}

/** docs/rejections.md#bedrock-tool-call-id-duplicate: two calls with one id in one message. */
export function callIdDuplicate({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    const seen = new Set<string>()
    const twice = new Set<string>()
    for (const id of callsIn(message)) (seen.has(id) && id !== '' ? twice : seen).add(id)
    if (twice.size > 0)
      return {
        rule: 'tool-call-id-duplicate',
        message: `The toolUse blocks at messages.${i}.content contain duplicate Ids: ${[...twice].join(', ')}`,
      }
  }
  return undefined
}

/** docs/rejections.md#bedrock-tool-result-not-object: a `json` block has an object. */
export function resultJson({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    for (const [j, block] of blocksOf(message).entries()) {
      const content = listAt(block.toolResult, 'content')
      const k = content.findIndex((one) => !isAbsent(field(one, 'json')) && !isObject(field(one, 'json')))
      if (k < 0) continue
      return {
        rule: 'tool-result-not-object',
        message: `The format of the value at messages.${i}.content.${j}.toolResult.content.${k}.json is invalid. Provide a json object for the field and try again.`,
      }
    }
  }
  return undefined
}

/**
 * tool-result-missing, -orphan, -duplicate (docs/rejections.md#bedrock-tool-result-missing and the rows near it):
 * within the next message, by count first and then by id.
 */
export function pairing({ body }: JudgedRequest): Rejection | undefined {
  const messages = messagesOf(body)
  const served = new Set<string>()
  for (const [i, message] of [...messages, undefined].entries()) {
    const calls = callsIn(messages[i - 1])
    const results = clientResults(message, served)
    if (results.length > calls.length)
      return {
        rule: new Set(results).size < results.length ? 'tool-result-duplicate' : 'tool-result-orphan',
        message: `The number of toolResult blocks at messages.${i}.content exceeds the number of toolUse blocks of previous turn.`,
      }
    const answered = new Set(results)
    const open = calls.filter((id) => !answered.has(id))
    if (open.length > 0)
      return {
        rule: 'tool-result-missing',
        message: `Expected toolResult blocks at messages.${i}.content for the following Ids: ${open.join(', ')}`,
      }
  }
  return undefined
}

/** Results, except those of calls that the provider ran before them; such calls are collected here as well. */
function clientResults(message: Json | undefined, served: Set<string>): readonly string[] {
  const ids: string[] = []
  for (const { toolUse, toolResult } of blocksOf(message)) {
    if (isServed(toolUse)) served.add(textAt(toolUse, 'toolUseId'))
    if (isObject(toolResult) && !isServed(toolResult) && !served.has(textAt(toolResult, 'toolUseId')))
      ids.push(textAt(toolResult, 'toolUseId'))
  }
  return ids
}

/** Client-side calls. */
function callsIn(message: Json | undefined): readonly string[] {
  return blocksOf(message)
    .map(({ toolUse }) => toolUse)
    .filter((use) => isObject(use) && !isServed(use))
    .map((use) => textAt(use, 'toolUseId'))
}

/** Call and result of a tool that the provider runs are in the assistant's turn (recorded). */
function isServed(toolUse: unknown): boolean {
  return field(toolUse, 'type') === 'server_tool_use'
}

/**
 * docs/rejections.md#bedrock-tool-result-mixed-with-other-parts: user turns; not for Claude, and not for Nova
 * (recorded). Cache points do not count.
 */
export function mixed({ body, model }: JudgedRequest): Rejection | undefined {
  if (model === undefined || isClaude(model) || model.includes('nova')) return undefined
  const i = messagesOf(body).findIndex((message) => {
    if (message.role === 'assistant') return false
    const blocks = blocksOf(message).filter((block) => isAbsent(block.cachePoint))
    return blocks.some((block) => isObject(block.toolResult)) && !blocks.every((block) => isObject(block.toolResult))
  })
  if (i < 0) return undefined
  return {
    rule: 'tool-result-mixed-with-other-parts',
    message: `messages.${i}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.`,
  }
}
