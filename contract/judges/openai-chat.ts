/**
 * OpenAI Chat Completions (docs/rejections.md#openai): OpenAI, Azure, Copilot.
 */

import { PREFILL } from './anthropic/content.ts'
import { callIdTwice, callsOf, chatShape, messagesOf, missing, missingRule, pairFaults, wrongType } from './chat.ts'
import { field, isAbsent, isObject, listAt } from './json.ts'
import { isBeforeGpt5, isGpt5, isNewClaude } from './models.ts'
import { contentShape, resultImage } from './openai-chat-content.ts'
import { type Check, inOrder, type JudgedRequest, type Rejection } from './rejection.ts'

const NAME = '^[a-zA-Z0-9_-]+$'
const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

function roleUnknown({ body }: JudgedRequest): Rejection | undefined {
  const i = messagesOf(body).findIndex(({ role }) => typeof role !== 'string' || !ROLES.has(role))
  if (i < 0) return undefined
  return {
    rule: 'role-unknown',
    message: `Invalid value: '${messagesOf(body)[i]?.role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
    param: `messages[${i}].role`,
    code: 'invalid_value',
  }
}

/** docs/rejections.md#openai-message-name-invalid: names with blanks. */
function messageName({ body }: JudgedRequest): Rejection | undefined {
  const pattern = '^[^\\s<|\\\\/>]+$'
  const i = messagesOf(body).findIndex(({ name }) => typeof name === 'string' && !/^[^\s<|\\/>]+$/.test(name))
  return i < 0 ? undefined : notMatching('message-name-invalid', `messages[${i}].name`, pattern)
}

function notMatching(rule: string, param: string, pattern: string): Rejection {
  return {
    rule,
    message: `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${pattern}'.`,
    param,
    code: 'invalid_value',
  }
}

/** Only assistant messages have calls in the schema. */
function foreignCalls({ body }: JudgedRequest): Rejection | undefined {
  const i = messagesOf(body).findIndex(
    ({ role, tool_calls: calls }) =>
      role !== 'assistant' && !isAbsent(calls) && !(Array.isArray(calls) && calls.length === 0),
  )
  if (i < 0) return undefined
  const param = `messages[${i}].tool_calls`
  return { rule: 'content-shape', message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' }
}

/** docs/rejections.md#openai-tool-calls-empty-array. */
function callsEmpty({ body }: JudgedRequest): Rejection | undefined {
  const i = messagesOf(body).findIndex(({ tool_calls }) => Array.isArray(tool_calls) && tool_calls.length === 0)
  if (i < 0) return undefined
  return {
    rule: 'tool-calls-empty-array',
    message: `Invalid 'messages[${i}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    param: `messages[${i}].tool_calls`,
    code: 'empty_array',
  }
}

/**
 * docs/rejections.md#openai-tool-call-id-too-long, docs/rejections.md#openai-tool-call-name-invalid. An empty id has no
 * report against it (docs/rejections.md#not-seen-no-report).
 */
function callFields({ body, model }: JudgedRequest, idLimit: IdLimit): Rejection | undefined {
  const limit = idLimit(model)
  for (const { i, j, id, call } of callsOf(body)) {
    const at = `messages[${i}].tool_calls[${j}]`
    if (id.length > limit) return tooLong(`${at}.id`, limit, id.length)
    if (call.type === 'custom') continue
    if (!isObject(call.function)) return missing(`${at}.function`)
    const { name } = call.function
    if (typeof name !== 'string') return missing(`${at}.function.name`)
    if (name === '') return { ...emptyString(`${at}.function.name`), rule: 'tool-call-name-invalid' }
    if (!/^[a-zA-Z0-9_-]+$/.test(name)) return notMatching('tool-call-name-invalid', `${at}.function.name`, NAME)
    const rejection = argumentsFault(call.function.arguments, `${at}.function.arguments`)
    if (rejection) return rejection
  }
  return undefined
}

/** docs/rejections.md#openai-tool-arguments-not-object: a string; no report about its content. */
function argumentsFault(text: unknown, at: string): Rejection | undefined {
  if (typeof text === 'string') return undefined
  const rejection = text === undefined ? missing(at) : wrongType(at, 'a string', text)
  return { ...rejection, rule: 'tool-arguments-not-object' }
}

export function tooLong(param: string, limit: number, length: number): Rejection {
  return {
    rule: 'tool-call-id-too-long',
    message: `Invalid '${param}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${length} instead.`,
    param,
    code: 'string_above_max_length',
  }
}

export function emptyString(param: string): Rejection {
  return {
    rule: 'tool-call-id-empty',
    message: `Invalid '${param}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    param,
    code: 'empty_string',
  }
}

type IdLimit = (model: string | undefined) => number
/** 40, and 64 for models of the GPT-5 class. If the model is not known, only what every model rejects is rejected. */
const openaiIdLimit: IdLimit = (model) => (isBeforeGpt5(model) ? 40 : 64)
/** Azure: deployments have free names, so the lower limit applies. */
const azureIdLimit: IdLimit = (model) => (isGpt5(model) ? 64 : 40)

/**
 * docs/rejections.md#openai-tools-too-many, docs/rejections.md#openai-tool-declaration-name-invalid. Some models accept
 * dots in a name:
 * dots are rejected only for models that are known to reject them.
 */
export function declaredTools({ body, model }: JudgedRequest): Rejection | undefined {
  const tools = listAt(body, 'tools')
  if (tools.length > 128)
    return {
      rule: 'tools-too-many',
      message: `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${tools.length} instead.`,
      param: 'tools',
      code: 'array_above_max_length',
    }
  const dots = !/(^|\/)gpt-[34]/.test(model ?? '')
  for (const [i, tool] of tools.entries()) {
    const name = field(field(tool, 'function'), 'name')
    const allowed = dots ? /^[a-zA-Z0-9_.-]+$/ : /^[a-zA-Z0-9_-]+$/
    if (typeof name === 'string' && !allowed.test(name))
      return notMatching(
        'tool-declaration-name-invalid',
        `tools[${i}].function.name`,
        dots ? '^[a-zA-Z0-9_\\.-]+$' : NAME,
      )
  }
  return undefined
}

/** docs/rejections.md#openai-tool-call-id-duplicate. */
function callIdDuplicate({ body }: JudgedRequest): Rejection | undefined {
  const twice = callIdTwice(body)
  if (!twice) return undefined
  return {
    rule: 'tool-call-id-duplicate',
    message: `Duplicate value for 'tool_call_id' of ${twice.id} in message[${twice.i}]`,
    param: `messages.[${twice.i}].tool_calls`,
  }
}

/**
 * Also two results with one id in one run of results (docs/rejections.md#openai-tool-result-missing,
 * docs/rejections.md#openai-tool-result-orphan, docs/rejections.md#openai-tool-result-duplicate).
 */
function pairing({ body }: JudgedRequest): Rejection | undefined {
  for (const fault of pairFaults(body)) {
    const param = `messages.[${fault.at}].role`
    if (fault.fault === 'missing')
      return {
        rule: missingRule(fault),
        message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${fault.ids.join(', ')}`,
        param,
      }
    if (fault.fault === 'orphan')
      return {
        rule: 'tool-result-orphan',
        message:
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        param,
      }
    if (fault.fault === 'duplicate')
      return {
        rule: 'tool-result-duplicate',
        message: `Invalid parameter: Duplicate value for 'tool_call_id' of '${fault.id}', in messages[${fault.first}] and messages[${fault.at}].`,
        param,
      }
  }
  return undefined
}

/** Claude through a relay of this format, such as Copilot (docs/rejections.md#anthropic-last-assistant-prefill). */
export const claudePrefill: Check = ({ body, model }) => {
  // System messages are removed from the list before it goes to Claude.
  const last = messagesOf(body).findLast(({ role }) => role !== 'system' && role !== 'developer')
  if (!isNewClaude(model) || last?.role !== 'assistant') return undefined
  return { rule: 'last-assistant-prefill', message: PREFILL }
}

function checks(idLimit: IdLimit): Check {
  return inOrder(
    chatShape,
    roleUnknown,
    declaredTools,
    contentShape,
    messageName,
    foreignCalls,
    callsEmpty,
    (request) => callFields(request, idLimit),
    callIdDuplicate,
    pairing,
    resultImage,
  )
}

export const openaiChatCheck = checks(openaiIdLimit)
export const azureChatCheck = checks(azureIdLimit)
export const relayChatCheck = inOrder(openaiChatCheck, claudePrefill)
