/**
 * Anthropic Messages, with thinking, the provider's own tools, and prompts next to results.
 */

import type { Bit } from './conversation.ts'
import { key, listOrText, MANNERS, type Native, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: PIXEL } }

export const anthropicShape: Shape = {
  manners: { ...MANNERS, system: false, think: true, server: true, promptBesideResults: true },
  write({ role, bits }, tape, wild) {
    const content = listOrText(bits, tape, (bit) => block(bit, tape, wild))
    return [{ role: role === 'tool' ? 'user' : role, content }]
  },
}

function block(bit: Bit, tape: Tape, wild: boolean): unknown {
  switch (bit.kind) {
    case 'text':
      return {
        type: 'text',
        ...key('text', bit.text),
        ...(wild && tape.chance(4) ? { cache_control: { type: 'ephemeral' } } : {}),
      }
    case 'think':
      if (wild && tape.chance(15)) return { type: 'redacted_thinking', data: bit.sign ?? '' }
      return { type: 'thinking', thinking: bit.text, ...key('signature', bit.sign) }
    case 'call': {
      const type = bit.server ? 'server_tool_use' : 'tool_use'
      return { type, ...key('id', bit.id), ...key('name', bit.name), ...key('input', parsed(bit.args)) }
    }
    case 'result':
      return result(bit, tape)
    case 'image':
      return IMAGE
    case 'unknown':
      return bit.value
  }
}

function result(bit: Extract<Bit, { kind: 'result' }>, tape: Tape): Native {
  if (bit.server) {
    const found = { type: 'web_search_result', title: bit.text, url: 'https://example.org', encrypted_content: 'eA==' }
    return { type: 'web_search_tool_result', ...key('tool_use_id', bit.id), content: [found] }
  }
  const asList = bit.media || tape.chance(30)
  const content = asList ? [{ type: 'text', text: bit.text }, ...(bit.media ? [IMAGE] : [])] : bit.text
  return { type: 'tool_result', ...key('tool_use_id', bit.id), content, ...(bit.failed ? { is_error: true } : {}) }
}
