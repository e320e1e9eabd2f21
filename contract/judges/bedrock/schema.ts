/**
 * Bedrock Converse (docs/rejections.md#bedrock), the schema: shapes, names and ids.
 */

import { field, isObject, listAt } from '../json.ts'
import type { JudgedRequest, Rejection } from '../rejection.ts'
import { blocksOf, messagesOf } from './read.ts'

/** Indexes in the error texts of the schema count from 1. */
export function shape({ body }: JudgedRequest): Rejection | undefined {
  const messages = field(body, 'messages')
  if (!Array.isArray(messages) || messages.length === 0)
    return constraints(Array.isArray(messages) ? 'messages-empty' : 'message-shape', [
      `Value at 'messages' failed to satisfy constraint: Member must not be null`,
    ])
  for (const [i, message] of messages.entries()) {
    const at = `messages.${i + 1}.member`
    if (!isObject(message)) return notNull('message-shape', at)
    if (message.role !== 'user' && message.role !== 'assistant')
      return constraints('role-unknown', [
        `Value at '${at}.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]`,
      ])
    if (!Array.isArray(message.content)) return notNull('content-shape', `${at}.content`)
    const j = message.content.findIndex((block) => !isObject(block))
    if (j >= 0) return notNull('content-shape', `${at}.content.${j + 1}.member`)
  }
  return undefined
}

/** Members of ContentBlock and ToolResultContentBlock (API reference). Other keys may be newer than this list. */
const FOREIGN = new Set([
  'type',
  'annotations',
  'cache_control',
  'image_url',
  'source',
  'inlineData',
  'input_audio',
  'file',
])

/**
 * unknown-field, tool-call-id-empty, tool-result-shape: a block is a union with one member (567-labs/instructor#1467),
 * calls and results have an id, and a result has a list of blocks (API reference: required).
 */
export function blockShape({ body }: JudgedRequest): Rejection | undefined {
  for (const [i, message] of messagesOf(body).entries()) {
    for (const [j, block] of blocksOf(message).entries()) {
      const at = `messages.${i + 1}.member.content.${j + 1}.member`
      const found = foreignKey('unknown-field', block, at) ?? halfShape(block, at)
      if (found) return found
    }
  }
  return undefined
}

function halfShape(block: unknown, at: string): Rejection | undefined {
  const [use, result] = [field(block, 'toolUse'), field(block, 'toolResult')]
  // What the service ran itself has its own shape.
  if (field(use, 'type') === 'server_tool_use' || (field(result, 'type') ?? 'tool_result') !== 'tool_result')
    return undefined
  if (isObject(use) && !isWord(use.toolUseId)) return notNull('tool-call-id-empty', `${at}.toolUse.toolUseId`)
  if (!isObject(result)) return undefined
  if (!isWord(result.toolUseId)) return notNull('tool-call-id-empty', `${at}.toolResult.toolUseId`)
  if (!Array.isArray(result.content)) return notNull('tool-result-shape', `${at}.toolResult.content`)
  for (const [k, one] of result.content.entries()) {
    const place = `${at}.toolResult.content.${k + 1}.member`
    if (!isObject(one)) return notNull('tool-result-shape', place)
    const foreign = foreignKey('tool-result-shape', one, place)
    if (foreign) return foreign
  }
  return undefined
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function foreignKey(rule: string, block: unknown, at: string): Rejection | undefined {
  const key = isObject(block) ? Object.keys(block).find((one) => FOREIGN.has(one)) : undefined
  return key === undefined ? undefined : { rule, message: `Unknown parameter in ${at}: "${key}"` }
}

function notNull(rule: string, at: string): Rejection {
  return constraints(rule, [`Value at '${at}' failed to satisfy constraint: Member must not be null`])
}

/** All faults of the schema are in one text. */
function constraints(rule: string, faults: readonly string[]): Rejection {
  const errors = faults.length === 1 ? 'error' : 'errors'
  return { rule, message: `${faults.length} validation ${errors} detected: ${faults.join('; ')}` }
}

/** docs/rejections.md#bedrock-tool-call-id-too-long and the rows near it: ids and names. */
export function namesAndIds({ body }: JudgedRequest): Rejection | undefined {
  const found = [...declaredNames(body), ...blockNames(body)]
  const first = found[0]
  return (
    first &&
    constraints(
      first.rule,
      found.map(({ text }) => text),
    )
  )
}

/** docs/rejections.md#bedrock-document-name-invalid: the characters of a file name (API reference, DocumentBlock). */
export function documentNames({ body }: JudgedRequest): Rejection | undefined {
  for (const message of messagesOf(body))
    for (const block of blocksOf(message)) {
      const name = field(field(block, 'document'), 'name')
      if (typeof name === 'string' && !/^[A-Za-z0-9()[\]-]*(?:\s[A-Za-z0-9()[\]-]*)*$/.test(name))
        return { rule: 'document-name-invalid', message: DOCUMENT_NAME }
    }
  return undefined
}

const DOCUMENT_NAME =
  "The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can't contain more than one consecutive whitespace character."

interface Fault {
  readonly rule: string
  readonly text: string
}

function* declaredNames(body: unknown): Generator<Fault> {
  for (const [i, tool] of listAt(field(body, 'toolConfig'), 'tools').entries()) {
    const name = field(field(tool, 'toolSpec'), 'name')
    yield* nameFault(name, `toolConfig.tools.${i + 1}.member.toolSpec.name`)
  }
}

function* blockNames(body: unknown): Generator<Fault> {
  for (const [i, message] of messagesOf(body).entries()) {
    for (const [j, block] of blocksOf(message).entries()) {
      const at = `messages.${i + 1}.member.content.${j + 1}.member`
      yield* idFault(field(block.toolUse, 'toolUseId'), `${at}.toolUse.toolUseId`)
      yield* nameFault(field(block.toolUse, 'name'), `${at}.toolUse.name`)
      yield* idFault(field(block.toolResult, 'toolUseId'), `${at}.toolResult.toolUseId`)
    }
  }
}

/** docs/rejections.md#disputed-bedrock-ids: the wider of two reported patterns. An empty id is assumed to fail. */
function* idFault(id: unknown, at: string): Generator<Fault> {
  if (typeof id !== 'string' || id === '') return
  const pattern = '[a-zA-Z0-9_.:-]+'
  if (id.length > 64) yield { rule: 'tool-call-id-too-long', text: tooLong(at) }
  else if (!/^[a-zA-Z0-9_.:-]+$/.test(id)) yield { rule: 'tool-call-id-format', text: notMatching(at, pattern) }
}

function* nameFault(name: unknown, at: string): Generator<Fault> {
  const rule = 'tool-call-name-invalid'
  if (typeof name !== 'string') return
  if (name.length > 64) yield { rule, text: tooLong(at) }
  else if (!/^[a-zA-Z0-9_-]+$/.test(name)) yield { rule, text: notMatching(at, '[a-zA-Z0-9_-]+') }
}

function tooLong(at: string): string {
  return `Value at '${at}' failed to satisfy constraint: Member must have length less than or equal to 64`
}

function notMatching(at: string, pattern: string): string {
  return `Value at '${at}' failed to satisfy constraint: Member must satisfy regular expression pattern: ${pattern}`
}
