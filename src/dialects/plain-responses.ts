/**
 * Plain items of OpenAI Responses: messages of text, function calls with all their fields, their outputs as text, reasoning without content.
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

export function plainResponses(item: unknown, look: Look): Outline {
  if (!isObject(item)) return -1
  const type = item['type']
  if (type === undefined || type === 'message') return plainMessage(item, look)
  if (type === 'function_call') return plainCall(item, look)
  if (type === 'function_call_output') return plainOutput(item, look)
  return type === 'reasoning' ? plainReasoning(item, look) : -1
}

function plainMessage(item: JsonObject, look: Look): Outline {
  let role: unknown
  let content: unknown
  let id: unknown
  for (const key in item) {
    const value = item[key]
    if (key === 'role') role = value
    else if (key === 'content') content = value
    else if (key === 'id') id = value
    else if (key !== 'type' && !((key === 'status' || key === 'phase') && look.field(key, String(item['role']))))
      return -1
  }
  let code = ROLE.user
  if (role === 'assistant') code = ROLE.assistant
  else if ((role === 'system' || role === 'developer') && look.system(role)) code = ROLE.system
  else if (role !== 'user') return -1
  look.begin(code)
  if (!isText(content, code, look)) return -1
  // Asked last: an id that was looked at comes again if the item turns out to be odd.
  return id === undefined || look.item(id, 'message') ? code | HAS_OTHER : -1
}

function isText(content: unknown, role: Outline, look: Look): boolean {
  if (typeof content === 'string') return look.text(content, true)
  if (!Array.isArray(content) || content.length === 0) return false
  const type = role === ROLE.assistant ? 'output_text' : 'input_text'
  for (let i = 0; i < content.length; i++) if (!isBlock(content[i], type, look)) return false
  return true
}

function isBlock(block: unknown, type: string, look: Look): boolean {
  if (!isObject(block)) return false
  let text: unknown
  for (const key in block) {
    if (key === 'text') text = block[key]
    else if (key === 'type' ? block[key] !== type : key !== 'annotations' && key !== 'logprobs') return false
  }
  return block['type'] === type && look.text(text, false)
}

function plainCall(item: JsonObject, look: Look): Outline {
  let id: unknown
  let call: unknown
  let name: unknown
  let text: unknown
  for (const key in item) {
    const value = item[key]
    if (key === 'call_id') call = value
    else if (key === 'name') name = value
    else if (key === 'arguments') text = value
    else if (key === 'id') id = value
    else if (key !== 'type' && !((key === 'status' || key === 'namespace') && look.field(key, 'function_call')))
      return -1
  }
  if (typeof call !== 'string' || typeof text !== 'string') return -1
  look.begin(ROLE.assistant)
  if (!look.call(call, name, text)) return -1
  return id === undefined || look.item(id, 'function_call') ? ROLE.assistant | HAS_CALL : -1
}

function plainOutput(item: JsonObject, look: Look): Outline {
  let call: unknown
  let output: unknown
  for (const key in item) {
    const value = item[key]
    if (key === 'call_id') call = value
    else if (key === 'output') output = value
    else if (key === 'status' ? value !== 'completed' || !look.field(key, 'function_call_output') : key !== 'type')
      return -1
  }
  if (typeof call !== 'string' || typeof output !== 'string' || output === '') return -1
  look.begin(ROLE.tool)
  return look.result(call, '', output, false) ? ROLE.tool | HAS_RESULT : -1
}

function plainReasoning(item: JsonObject, look: Look): Outline {
  for (const key in item)
    if (key !== 'type' && key !== 'id' && key !== 'summary' && key !== 'encrypted_content') return -1
  look.begin(ROLE.assistant)
  const id = item['id']
  return look.thought() && (id === undefined || look.item(id, 'reasoning')) ? ROLE.assistant | HAS_REASONING : -1
}
