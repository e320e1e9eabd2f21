/**
 * OpenAI Responses (docs/rejections.md#openai-responses), dependencies between items: reasoning and what follows it,
 * calls and outputs, what the provider stored.
 */

import { field, type Json, listAt, textAt } from '../json.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { continues, itemsOf, KINDS, typeOf } from './items.ts'
import { isNamed } from './schema.ts'

/** docs/rejections.md#openai-responses-reasoning-item-content-forbidden. */
export function reasoningContent({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, item] of itemsOf(body).entries()) {
    const length = typeOf(item) === 'reasoning' ? listAt(item, 'content').length : 0
    if (length === 0) continue
    return {
      rule: 'reasoning-item-content-forbidden',
      message: `Invalid 'input[${i}].content': array too long. Expected an array with maximum length 0, but got an array with length ${length} instead.`,
      param: `input[${i}].content`,
      code: 'array_above_max_length',
    }
  }
  return undefined
}

/** docs/rejections.md#openai-responses-item-id-not-persisted: 404. Items with content of their own need no store. */
export function notPersisted({ body }: JudgedRequest): Rejection | undefined {
  if (field(body, 'store') !== false) return undefined
  const item = itemsOf(body).find(
    (item) => textAt(item, 'id') !== '' && (typeOf(item) === 'item_reference' || isBareReasoning(item)),
  )
  if (!item) return undefined
  return {
    rule: 'item-id-not-persisted',
    status: 404,
    message: `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    param: 'input',
  }
}

/** docs/rejections.md#openai-responses-item-id-other-connection: an id belongs to one connection. Status 401. */
export function otherConnection({ body, issuedIds: given }: JudgedRequest): Rejection | undefined {
  const foreign = itemsOf(body).some(({ id }) => typeof id === 'string' && id !== '' && !given.has(id))
  if (!foreign) return undefined
  return {
    rule: 'item-id-other-connection',
    status: 401,
    message: 'input item ID does not belong to this connection',
    param: 'input',
  }
}

function isBareReasoning(item: Json): boolean {
  return typeOf(item) === 'reasoning' && typeof item.encrypted_content !== 'string'
}

/**
 * docs/rejections.md#openai-responses-reasoning-encrypted-content-invalid: OpenAI's content begins with `gAAA`; whether
 * it verifies only the provider knows. Azure gives no reason and no code.
 */
export function encryptedContent({ body }: JudgedRequest): Rejection | undefined {
  const cut = unreadableContent(body)
  if (cut === undefined) return undefined
  const reason = 'Reason: Encrypted content could not be decrypted or parsed.'
  return {
    rule: 'reasoning-encrypted-content-invalid',
    message: `The encrypted content ${cut} could not be verified. ${reason}`,
    code: 'invalid_encrypted_content',
  }
}

export function azureEncryptedContent({ body }: JudgedRequest): Rejection | undefined {
  const cut = unreadableContent(body)
  if (cut === undefined) return undefined
  return {
    rule: 'reasoning-encrypted-content-invalid',
    message: `The encrypted content ${cut} could not be verified.`,
  }
}

/** The beginning and the end of the first such content. */
function unreadableContent(body: unknown): string | undefined {
  const item = itemsOf(body).find((item) => {
    const text = typeOf(item) === 'reasoning' ? textAt(item, 'encrypted_content') : ''
    return text !== '' && !text.startsWith('gAAA')
  })
  if (!item) return undefined
  const text = textAt(item, 'encrypted_content')
  return text.length > 8 ? `${text.slice(0, 4)}...${text.slice(-4)}` : text
}

/** docs/rejections.md#openai-responses-reasoning-item-orphan: a message or call must follow. */
export function reasoningOrphan({ body }: JudgedRequest): Rejection | undefined {
  let open: Json | undefined
  for (const item of [...itemsOf(body), undefined]) {
    if (item && typeOf(item) === 'reasoning') {
      open ??= typeof item.id === 'string' ? item : undefined
      continue
    }
    if (open && (!item || !isModelItem(item)))
      return {
        rule: 'reasoning-item-orphan',
        message: `Item '${open.id}' of type 'reasoning' was provided without its required following item.`,
        param: 'input',
      }
    open = undefined
  }
  return undefined
}

function isModelItem(item: Json): boolean {
  const type = typeOf(item)
  // A call is the model's, with any role.
  if (type.endsWith('_call')) return true
  if (type === 'message' || typeof item.role === 'string') return item.role === 'assistant'
  if (type === 'tool_search_output') return !isClients(item)
  return !type.endsWith('_call_output') && type !== 'mcp_approval_response'
}

/** A tool search that the client ran; the service's own has no id, or names who ran it. */
function isClients({ execution, call_id: id }: Json): boolean {
  return execution === 'client' || (execution !== 'server' && typeof id === 'string')
}

/** docs/rejections.md#openai-responses-tool-result-missing, docs/rejections.md#openai-responses-tool-result-orphan. */
export function responsesPairing({ body }: JudgedRequest): Rejection | undefined {
  const items = itemsOf(body)
  const has = new Set(items.map((item) => `${typeOf(item)} ${textAt(item, 'call_id')}`))
  const held = continues(body) || items.some((item) => typeOf(item) === 'item_reference')
  for (const item of items) {
    const id = textAt(item, 'call_id')
    const called = KINDS.find(({ call }) => call === typeOf(item))
    // A call that runs asynchronously may stay open.
    if (called && item.async !== true && !has.has(`${called.output} ${id}`))
      return unpaired('missing', `No tool output found for ${called.words} ${id}.`)
    const answers = id === '' && isNamed(item) ? undefined : KINDS.find(({ output }) => output === typeOf(item))
    // A function output also answers a tool-search call of its id (docs/rejections.md#accepted-openai-responses).
    if (answers && !held && !has.has(`${answers.call} ${id}`) && !has.has(`tool_search_call ${id}`))
      return unpaired('orphan', `No tool call found for ${answers.words} output with call_id ${id}.`)
  }
  return undefined
}

function unpaired(fault: 'missing' | 'orphan', message: string): Rejection {
  return { rule: `tool-result-${fault}`, message, param: 'input' }
}
