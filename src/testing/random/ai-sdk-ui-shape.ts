/**
 * UIMessages of the AI SDK: a result is in the part of its call.
 */

import type { Bit } from './conversation.ts'
import { MANNERS, type Native, PIXEL, parsed, type Shape } from './shape.ts'

export const aiSdkUiShape: Shape = {
  manners: { ...MANNERS, think: true },
  write({ role, bits }, tape, wild) {
    const parts = bits.map((bit) => part(bit, wild && tape.chance(10)))
    const steps = role === 'assistant' && tape.chance(50) ? [{ type: 'step-start' }] : []
    return [{ id: `m${tape.upTo(100_000)}`, role, parts: [...steps, ...parts] }]
  },
  /** Results move into the part of their call, in the message before. */
  join(messages) {
    const joined: Native[] = []
    for (const message of messages as Native[]) {
      if (message['role'] === 'tool') answer(joined, message['parts'] as Native[])
      else joined.push(message)
    }
    return joined
  },
}

function answer(messages: readonly Native[], results: readonly Native[]): void {
  const open = messages.flatMap(({ parts }) => parts as Native[]).filter((one) => one?.['state'] === 'input-available')
  for (const { toolCallId, state, output, errorText } of results.filter((one) => one?.['state'] !== undefined)) {
    const call = open.find((one) => one['toolCallId'] === toolCallId && one['state'] === 'input-available')
    if (call) Object.assign(call, { state }, state === 'output-error' ? { errorText } : { output })
  }
}

function part(bit: Bit, streaming: boolean): unknown {
  switch (bit.kind) {
    case 'text':
      return { type: 'text', text: bit.text, state: 'done' }
    case 'think': {
      const signed = bit.sign === undefined ? {} : { providerMetadata: { anthropic: { signature: bit.sign } } }
      return { type: 'reasoning', text: bit.text, ...signed }
    }
    case 'call': {
      const state = streaming ? 'input-streaming' : 'input-available'
      return { type: `tool-${String(bit.name)}`, toolCallId: bit.id, state, input: parsed(bit.args) }
    }
    case 'result': {
      const result = bit.failed ? { errorText: bit.text } : { output: bit.text }
      return { toolCallId: bit.id, state: bit.failed ? 'output-error' : 'output-available', ...result }
    }
    case 'image':
      return { type: 'file', mediaType: 'image/gif', url: `data:image/gif;base64,${PIXEL}` }
    case 'unknown':
      return bit.value
  }
}
