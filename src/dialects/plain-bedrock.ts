/**
 * Plain messages of Bedrock Converse: nothing but role and content; texts, calls with all their fields, results of texts and JSON.
 */
import {
  HAS_CALL,
  HAS_OTHER,
  HAS_RESULT,
  isObject,
  type JsonObject,
  type Look,
  type Outline,
  ROLE,
} from '../core/index.ts'

export function plainBedrock(message: unknown, look: Look): Outline {
  if (!isObject(message)) return -1
  let role: unknown
  let content: unknown
  for (const key in message) {
    if (key === 'role') role = message[key]
    else if (key === 'content') content = message[key]
    else return -1
  }
  if ((role !== 'user' && role !== 'assistant') || !Array.isArray(content) || content.length === 0) return -1
  const code = role === 'user' ? ROLE.user : ROLE.assistant
  look.begin(code)
  let outline = code
  for (let i = 0; i < content.length; i++) {
    const has = isObject(content[i]) ? plainBlock(content[i], code, look) : 0
    if (has === 0) return -1
    outline |= has
  }
  return outline
}

/** What the outline has by this block, which has one key; 0: it is not plain. */
function plainBlock(block: JsonObject, role: Outline, look: Look): Outline {
  let has = 0
  for (const key in block) {
    if (has !== 0) return 0
    const value = block[key]
    if (key === 'text') has = look.text(value, false) ? HAS_OTHER : 0
    else if (!isObject(value)) return 0
    else if (key === 'toolUse' && role === ROLE.assistant) has = plainCall(value, look)
    else if (key === 'toolResult' && role === ROLE.user) has = plainResult(value, look)
    if (has === 0) return 0
  }
  return has
}

function plainCall(use: JsonObject, look: Look): Outline {
  let id: unknown
  let name: unknown
  let input: unknown
  for (const key in use) {
    const value = use[key]
    if (key === 'toolUseId') id = value
    else if (key === 'name') name = value
    else if (key === 'input') input = value
    else return 0
  }
  return typeof id === 'string' && isObject(input) && look.call(id, name, input) ? HAS_CALL : 0
}

function plainResult(result: JsonObject, look: Look): Outline {
  let id: unknown
  let content: unknown
  let status: unknown
  for (const key in result) {
    const value = result[key]
    if (key === 'toolUseId') id = value
    else if (key === 'content') content = value
    else if (key === 'status') status = value
    else return 0
  }
  if (typeof id !== 'string' || !Array.isArray(content) || content.length === 0) return 0
  for (let i = 0; i < content.length; i++) {
    if (!isObject(content[i])) return 0
    for (const key in content[i]) if (key !== 'text' && key !== 'json') return 0
  }
  return look.result(id, '', content, status === 'error') ? HAS_RESULT : 0
}
