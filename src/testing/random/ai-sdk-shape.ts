/**
 * ModelMessages of the AI SDK, with the older `args` and `result`, approvals, and tools that the provider runs.
 */

import type { Bit } from './conversation.ts'
import { key, listOrText, MANNERS, type Native, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

export const aiSdkShape: Shape = {
  manners: { ...MANNERS, think: true, server: true },
  write({ role, bits }, tape, wild) {
    if (role === 'tool' && wild && tape.chance(3)) {
      return [
        {
          role,
          content: [
            { type: 'tool-approval-response', approvalId: 'ap1', approved: true },
            ...bits.map((bit) => part(bit, tape, wild)),
          ],
        },
      ]
    }
    const [first] = bits
    if (role === 'system' && first?.kind === 'text') return [{ role, content: first.text }]
    return [{ role, content: listOrText(bits, tape, (bit) => part(bit, tape, wild)) }]
  },
}

function part(bit: Bit, tape: Tape, wild: boolean): unknown {
  const old = wild && tape.chance(5)
  switch (bit.kind) {
    case 'text':
      return { type: 'text', ...key('text', bit.text) }
    case 'think': {
      const signed = bit.sign === undefined ? {} : { providerOptions: { anthropic: { signature: bit.sign } } }
      return { type: 'reasoning', text: bit.text, ...signed }
    }
    case 'call': {
      const call = {
        ...key('toolCallId', bit.id),
        ...key('toolName', bit.name),
        ...key(old ? 'args' : 'input', parsed(bit.args)),
      }
      return { type: 'tool-call', ...call, ...(bit.server ? { providerExecuted: true } : {}) }
    }
    case 'result': {
      const output = old ? { result: bit.text } : { output: outputOf(bit, tape) }
      return { type: 'tool-result', ...key('toolCallId', bit.id), ...key('toolName', bit.name), ...output }
    }
    case 'image':
      return { type: 'image', image: PIXEL, mediaType: 'image/gif' }
    case 'unknown':
      return bit.value
  }
}

function outputOf(bit: Extract<Bit, { kind: 'result' }>, tape: Tape): Native {
  if (bit.failed) return { type: 'error-text', value: bit.text }
  if (bit.media)
    return {
      type: 'content',
      value: [
        { type: 'text', text: bit.text },
        { type: 'media', data: PIXEL, mediaType: 'image/gif' },
      ],
    }
  return tape.chance(20) ? { type: 'json', value: { said: bit.text } } : { type: 'text', value: bit.text }
}
