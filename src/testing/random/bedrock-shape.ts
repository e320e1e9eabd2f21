/**
 * Bedrock Converse blocks.
 */

import type { Bit } from './conversation.ts'
import { key, MANNERS, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

const IMAGE = { image: { format: 'gif', source: { bytes: PIXEL } } }

export const bedrockShape: Shape = {
  manners: { ...MANNERS, system: false, think: true, textBesideCalls: false },
  write({ role, bits }, tape, wild) {
    return [{ role: role === 'tool' ? 'user' : role, content: bits.map((bit) => block(bit, tape, wild)) }]
  },
}

function block(bit: Bit, tape: Tape, wild: boolean): unknown {
  switch (bit.kind) {
    case 'text':
      return key('text', bit.text)
    case 'think':
      if (wild && tape.chance(10)) return { reasoningContent: { redactedContent: bit.sign ?? '' } }
      return { reasoningContent: { reasoningText: { text: bit.text, ...key('signature', bit.sign) } } }
    case 'call':
      return { toolUse: { ...key('toolUseId', bit.id), ...key('name', bit.name), ...key('input', parsed(bit.args)) } }
    case 'result': {
      const value = tape.chance(10) ? { json: { said: bit.text } } : { text: bit.text }
      const content = wild && tape.chance(5) ? [] : [value, ...(bit.media ? [IMAGE] : [])]
      return { toolResult: { ...key('toolUseId', bit.id), content, ...(bit.failed ? { status: 'error' } : {}) } }
    }
    case 'image':
      return IMAGE
    case 'unknown':
      return bit.value
  }
}
