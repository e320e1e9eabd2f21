/**
 * Plain messages of Anthropic: nothing but role and content; texts, signed thinking, calls with all their fields, results that are text.
 */
import {
  HAS_CALL,
  HAS_OTHER,
  HAS_REASONING,
  HAS_RESULT,
  isObject,
  type JsonObject,
  type Look,
  type Outline,
  ROLE,
} from '../core/index.ts'

export function plainAnthropic(message: unknown, look: Look): Outline {
  if (!isObject(message)) return -1
  let role: unknown
  let content: unknown
  for (const key in message) {
    if (key === 'role') role = message[key]
    else if (key === 'content') content = message[key]
    else return -1
  }
  if (role !== 'user' && role !== 'assistant') return -1
  const code = role === 'user' ? ROLE.user : ROLE.assistant
  look.begin(code)
  if (typeof content === 'string') return look.text(content, true) ? code | HAS_OTHER : -1
  if (!Array.isArray(content) || content.length === 0) return -1
  let outline = code
  for (let i = 0; i < content.length; i++) {
    const has = isObject(content[i]) ? plainBlock(content[i], code, look) : 0
    if (has === 0) return -1
    outline |= has
  }
  return outline
}

/** What the outline has by this block; 0: it is not plain. */
function plainBlock(block: JsonObject, role: Outline, look: Look): Outline {
  const type = block['type']
  if (type === 'text') return plainText(block, look)
  if (type === 'tool_result') return role === ROLE.user ? plainResult(block, look) : 0
  if (role !== ROLE.assistant) return 0
  if (type === 'tool_use') return plainCall(block, look)
  return type === 'thinking' ? plainThinking(block, look) : 0
}

function plainText(block: JsonObject, look: Look): Outline {
  let text: unknown
  for (const key in block) {
    if (key === 'text') text = block[key]
    else if (key !== 'type') return 0
  }
  return look.text(text, false) ? HAS_OTHER : 0
}

function plainThinking(block: JsonObject, look: Look): Outline {
  let text: unknown
  let sign: unknown
  for (const key in block) {
    if (key === 'thinking') text = block[key]
    else if (key === 'signature') sign = block[key]
    else if (key !== 'type') return 0
  }
  return look.reasoning(text, sign) ? HAS_REASONING : 0
}

function plainCall(block: JsonObject, look: Look): Outline {
  let id: unknown
  let name: unknown
  let input: unknown
  for (const key in block) {
    const value = block[key]
    if (key === 'id') id = value
    else if (key === 'name') name = value
    else if (key === 'input') input = value
    else if (key !== 'type') return 0
  }
  return typeof id === 'string' && isObject(input) && look.call(id, name, input) ? HAS_CALL : 0
}

function plainResult(block: JsonObject, look: Look): Outline {
  let id: unknown
  let content: unknown
  let failed: unknown
  for (const key in block) {
    const value = block[key]
    if (key === 'tool_use_id') id = value
    else if (key === 'content') content = value
    else if (key === 'is_error') failed = value
    else if (key !== 'type') return 0
  }
  if (typeof id !== 'string' || (typeof content === 'string' ? content === '' : !isTexts(content))) return 0
  return look.result(id, '', content, failed === true) ? HAS_RESULT : 0
}

function isTexts(content: unknown): boolean {
  if (!Array.isArray(content) || content.length === 0) return false
  for (let i = 0; i < content.length; i++) {
    const block: unknown = content[i]
    if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string') return false
    for (const key in block) if (key !== 'type' && key !== 'text') return false
  }
  return true
}
