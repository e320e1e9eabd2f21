/** UIMessages of the AI SDK: a result is in the part of its call. */
import type { Piece } from './pieces.ts'
import { DEFAULT_FEATURES, key, type Native, PIXEL, parsed, type Shape } from './shape.ts'
import type { Tape } from './tape.ts'

export const aiSdkUiShape: Shape = {
  features: { ...DEFAULT_FEATURES, think: true },
  write({ role, pieces }, tape, wild) {
    const parts = pieces.map((piece) => part(piece, tape, wild))
    const steps = role === 'assistant' && tape.chance(50) ? [{ type: 'step-start' }] : []
    return [{ role, parts: [...steps, ...parts] }]
  },
  /** Moves results into the part of their call. Gives each message its own id: messages with one id are one answer. */
  join(messages) {
    const joined: Native[] = []
    for (const message of messages as Native[]) {
      if (message['role'] === 'tool') answer(joined, message['parts'] as Native[])
      else joined.push({ id: `m${joined.length}`, ...message })
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

function part(piece: Piece, tape: Tape, wild: boolean): unknown {
  switch (piece.kind) {
    case 'text':
      return { type: 'text', text: piece.text, ...(tape.chance(50) ? { state: 'done' } : {}) }
    case 'think': {
      const signed = piece.sign === undefined ? {} : { providerMetadata: { anthropic: { signature: piece.sign } } }
      return { type: 'reasoning', text: piece.text, ...signed }
    }
    case 'call': {
      const state = wild && tape.chance(10) ? 'input-streaming' : 'input-available'
      return { type: `tool-${piece.name ?? ''}`, ...key('toolCallId', piece.id), state, input: parsed(piece.args) }
    }
    case 'result': {
      const result = piece.failed ? { errorText: piece.text } : { output: piece.text }
      return { toolCallId: piece.id, state: piece.failed ? 'output-error' : 'output-available', ...result }
    }
    case 'image':
      return { type: 'file', mediaType: 'image/gif', url: `data:image/gif;base64,${PIXEL}` }
    case 'unknown':
      return piece.value
  }
}
