/**
 * Gemini contents, with and without ids, in camel and snake case.
 */

import type { Bit } from './conversation.ts'
import { key, MANNERS, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

export const geminiShape: Shape = {
  manners: { ...MANNERS, system: false, think: true, sign: 'CpABc2lnbmVk', signedCalls: true, noIds: true },
  write({ role, bits }, tape, wild) {
    const name = role === 'assistant' ? 'model' : role === 'tool' && wild && tape.chance(10) ? 'function' : 'user'
    return [{ role: role === 'system' ? 'system' : name, parts: bits.map((bit) => part(bit, tape, wild)) }]
  },
}

function part(bit: Bit, tape: Tape, wild: boolean): unknown {
  const snake = wild && tape.chance(5)
  switch (bit.kind) {
    case 'text':
      return key('text', bit.text)
    case 'think':
      return { text: bit.text, thought: true, ...key('thoughtSignature', bit.sign) }
    case 'call': {
      const call = { ...key('id', bit.id), ...key('name', bit.name), ...key('args', parsed(bit.args)) }
      return { [snake ? 'function_call' : 'functionCall']: call, ...key('thoughtSignature', bit.sign) }
    }
    case 'result': {
      const response = wild && tape.chance(10) ? bit.text : { [bit.failed ? 'error' : 'output']: bit.text }
      const answer = { ...key('id', bit.id), ...key('name', bit.name), ...key('response', response) }
      return { [snake ? 'function_response' : 'functionResponse']: answer }
    }
    case 'image':
      return { inlineData: { mimeType: 'image/gif', data: PIXEL } }
    case 'unknown':
      return bit.value
  }
}
