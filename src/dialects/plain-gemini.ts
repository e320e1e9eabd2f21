/**
 * Plain contents of Gemini: nothing but role and parts; texts, calls and responses with all their fields, signatures beside them.
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

export function plainGemini(content: unknown, look: Look): Outline {
  if (!isObject(content)) return -1
  let role: unknown
  let parts: unknown
  for (const key in content) {
    if (key === 'role') role = content[key]
    else if (key === 'parts') parts = content[key]
    else return -1
  }
  if ((role !== 'user' && role !== 'model') || !Array.isArray(parts) || parts.length === 0) return -1
  const code = role === 'user' ? ROLE.user : ROLE.assistant
  look.begin(code)
  let outline = code
  for (let i = 0; i < parts.length; i++) {
    const has = isObject(parts[i]) ? plainPart(parts[i], code, look) : 0
    if (has === 0) return -1
    outline |= has
  }
  return outline
}

/** What the outline has by this part; 0: it is not plain. */
function plainPart(part: JsonObject, role: Outline, look: Look): Outline {
  let has = 0
  for (const key in part) {
    const value = part[key]
    if (key === 'thoughtSignature' || key === 'thought_signature') {
      if (typeof value !== 'string') return 0
      continue
    }
    if (has !== 0) return 0
    if (key === 'text') has = look.text(value, false) ? HAS_OTHER : 0
    else if (!isObject(value)) return 0
    else if (key === 'functionCall' || key === 'function_call') has = role === ROLE.user ? 0 : plainCall(value, look)
    else if (key === 'functionResponse' || key === 'function_response')
      has = role === ROLE.user ? plainResponse(value, look) : 0
    if (has === 0) return 0
  }
  return has
}

function plainCall(data: JsonObject, look: Look): Outline {
  let id: unknown
  let name: unknown
  let args: unknown
  for (const key in data) {
    const value = data[key]
    if (key === 'id') id = value
    else if (key === 'name') name = value
    else if (key === 'args') args = value
    else return 0
  }
  return isObject(args) && look.call(id, name, args) ? HAS_CALL : 0
}

function plainResponse(data: JsonObject, look: Look): Outline {
  let id: unknown
  let name: unknown
  let response: unknown
  for (const key in data) {
    const value = data[key]
    if (key === 'id') id = value
    else if (key === 'name') name = value
    else if (key === 'response') response = value
    else return 0
  }
  if (typeof name !== 'string' || name === '' || !isObject(response)) return 0
  return look.result(id, name, response, response['error'] !== undefined) ? HAS_RESULT : 0
}
