/**
 * Plain messages of OpenAI Chat: text of anybody, calls in `tool_calls` with all their fields, results that are text.
 * One loop over the keys reads a message and sees what else it has: faster than asking for each field that must not be there.
 */
import { HAS_CALL, HAS_OTHER, HAS_RESULT, isObject, type Look, type Outline, ROLE } from '../core/index.ts'

export function plainChat(message: unknown, look: Look): Outline {
  if (!isObject(message)) return -1
  let role: unknown
  let content: unknown
  let calls: unknown
  let id: unknown
  for (const key in message) {
    const value = message[key]
    if (key === 'role') role = value
    else if (key === 'content') content = value
    else if (key === 'tool_calls') calls = value
    else if (key === 'tool_call_id') id = value
    else if (!isAside(key, value, String(message['role']), look)) return -1
  }
  if (role === 'tool') return calls === undefined ? plainResult(id, content, look) : -1
  if (id !== undefined) return -1
  if (role === 'assistant') return plainAnswer(content, calls, look)
  if (calls !== undefined || !(role === 'user' || ((role === 'system' || role === 'developer') && look.system(role))))
    return -1
  const code = role === 'user' ? ROLE.user : ROLE.system
  look.begin(code)
  return isText(content, look) ? code | HAS_OTHER : -1
}

/** Fields that answers carry and that say nothing when they are empty; the name of a speaker. */
function isAside(key: string, value: unknown, role: string, look: Look): boolean {
  if (key === 'name') return look.name(value) && look.field(key, role)
  const isEmpty = value === null || (key === 'annotations' && Array.isArray(value) && value.length === 0)
  const isKnown = key === 'function_call' || key === 'annotations' || key === 'refusal' || key === 'audio'
  return isEmpty && isKnown && look.field(key, role)
}

function plainResult(id: unknown, content: unknown, look: Look): Outline {
  if (typeof id !== 'string' || typeof content !== 'string' || content === '') return -1
  look.begin(ROLE.tool)
  return look.result(id, '', content, false) ? ROLE.tool | HAS_RESULT : -1
}

function plainAnswer(content: unknown, calls: unknown, look: Look): Outline {
  look.begin(ROLE.assistant)
  if (calls === undefined || calls === null) return isText(content, look) ? ROLE.assistant | HAS_OTHER : -1
  if (!Array.isArray(calls) || calls.length === 0) return -1
  let outline = ROLE.assistant | HAS_CALL
  if (!look.bare(content)) {
    if (!isText(content, look)) return -1
    outline |= HAS_OTHER
  }
  for (let i = 0; i < calls.length; i++) if (!isCall(calls[i], look)) return -1
  return outline
}

function isText(content: unknown, look: Look): boolean {
  if (typeof content === 'string') return look.text(content, true)
  if (!Array.isArray(content) || content.length === 0) return false
  for (let i = 0; i < content.length; i++) if (!isBlock(content[i], look)) return false
  return true
}

function isBlock(block: unknown, look: Look): boolean {
  if (!isObject(block)) return false
  for (const key in block) if (key !== 'text' && (key !== 'type' || block[key] !== 'text')) return false
  return block['type'] === 'text' && look.text(block['text'], false)
}

function isCall(call: unknown, look: Look): boolean {
  if (!isObject(call)) return false
  let id: unknown
  let type: unknown
  let inner: unknown
  for (const key in call) {
    const value = call[key]
    if (key === 'id') id = value
    else if (key === 'type') type = value
    else if (key === 'function') inner = value
    else if (key !== 'index') return false
  }
  if (type !== 'function' || typeof id !== 'string' || !isObject(inner)) return false
  let name: unknown
  let text: unknown
  for (const key in inner) {
    if (key === 'name') name = inner[key]
    else if (key === 'arguments') text = inner[key]
    else return false
  }
  return typeof text === 'string' && look.call(id, name, text)
}
