/**
 * One writer per dialect: the pieces that each role can have, and the native messages of a line.
 */
import { writeAiSdk } from './ai-sdk.ts'
import { writeAiSdkUi } from './ai-sdk-ui.ts'
import type { Line, LineRole, Piece } from './grammar.ts'
import { writeLangchain } from './langchain.ts'
import { key, type NameOf, type Native, PIXEL, parsed, sign, stringOr } from './pieces.ts'
import { writeResponses } from './responses.ts'

export interface Writer {
  /** The kinds of pieces that each role can have; `empty`: a message without content. */
  readonly says: Readonly<Partial<Record<LineRole, readonly string[]>>>
  /** The order of pieces, if the format has a key for each kind. */
  readonly ranks?: Readonly<Record<string, number>>
  /** `index`: of the line in the history. */
  write(line: Line, nameOf: NameOf, index: number): readonly unknown[]
}

const USER_PIECES = ['text', 'image', 'empty']

export const writers = {
  'openai-chat': {
    says: {
      system: ['text', 'empty'],
      user: USER_PIECES,
      assistant: ['think', 'text', 'call', 'empty'],
      tool: ['result'],
    },
    ranks: { think: 0, text: 1, call: 2 },
    write: writeChat,
  },
  'openai-responses': {
    says: {
      system: ['text', 'empty'],
      user: USER_PIECES,
      assistant: ['think', 'think!', 'text', 'call', 'empty'],
      tool: ['result'],
    },
    write: writeResponses,
  },
  'anthropic-messages': {
    says: {
      system: ['text', 'empty'],
      user: [...USER_PIECES, 'result'],
      assistant: ['think', 'think!', 'text', 'call', 'server', 'served', 'empty'],
      tool: ['result', 'text', 'image'],
    },
    write: writeAnthropic,
  },
  gemini: {
    says: {
      user: [...USER_PIECES, 'result'],
      assistant: ['think', 'think!', 'text', 'image', 'call', 'call!', 'empty'],
      tool: ['result', 'text', 'image'],
    },
    write: writeGemini,
  },
  'bedrock-converse': {
    says: {
      user: [...USER_PIECES, 'result'],
      assistant: ['think', 'think!', 'text', 'image', 'call', 'empty'],
      tool: ['result', 'text', 'image'],
    },
    write: writeBedrock,
  },
  'ai-sdk': {
    says: {
      system: ['text', 'empty'],
      user: USER_PIECES,
      assistant: ['think', 'think!', 'text', 'image', 'call', 'server', 'served', 'empty'],
      tool: ['result', 'empty'],
    },
    write: writeAiSdk,
  },
  'ai-sdk-ui': {
    says: {
      system: ['text', 'empty'],
      user: USER_PIECES,
      assistant: ['think', 'think!', 'text', 'image', 'call', 'empty'],
    },
    write: writeAiSdkUi,
  },
  langchain: {
    says: {
      system: ['text', 'empty'],
      user: USER_PIECES,
      assistant: ['think', 'think!', 'text', 'call', 'empty'],
      tool: ['result'],
    },
    ranks: { call: 2 },
    write: writeLangchain,
  },
} as const satisfies Record<string, Writer>

function writeChat({ role, pieces }: Line): readonly unknown[] {
  if (role === 'tool') {
    return pieces.map((piece) =>
      piece.kind === 'result' ? { role, ...key('tool_call_id', piece.id), content: piece.text } : {},
    )
  }
  const message: Native = { role }
  const think = pieces.find((piece) => piece.kind === 'think')
  if (think) message['reasoning_content'] = think.text
  const calls = pieces.filter((piece) => piece.kind === 'call')
  const content = pieces.filter((piece) => piece.kind === 'text' || piece.kind === 'image')
  message['content'] = content.length === 0 && calls.length > 0 ? null : stringOr(content, chatBlock, '')
  if (calls.length > 0) {
    message['tool_calls'] = calls.map(({ id, name, args }) => ({
      ...key('id', id),
      type: 'function',
      function: { ...key('name', name), arguments: args },
    }))
  }
  return [message]
}

function chatBlock(piece: Piece): Native {
  if (piece.kind === 'text') return { type: 'text', text: piece.text }
  return { type: 'image_url', image_url: { url: `data:image/gif;base64,${PIXEL}` } }
}

function writeAnthropic({ role, pieces }: Line, nameOf: NameOf): readonly unknown[] {
  const content = stringOr(pieces, (piece) => anthropicBlock(piece, nameOf), [])
  return [{ role: role === 'tool' ? 'user' : role, content }]
}

function anthropicBlock(piece: Piece, nameOf: NameOf): Native {
  switch (piece.kind) {
    case 'text':
      return { type: 'text', text: piece.text }
    case 'think':
      return { type: 'thinking', thinking: piece.text, ...(piece.signed ? { signature: sign(piece.text) } : {}) }
    case 'call':
      return { type: 'tool_use', ...key('id', piece.id), ...key('name', piece.name), input: parsed(piece.args) }
    case 'result':
      return {
        type: 'tool_result',
        ...key('tool_use_id', piece.id),
        content: piece.text,
        ...(piece.failed ? { is_error: true } : {}),
      }
    case 'server':
      return { type: 'server_tool_use', ...key('id', piece.id), ...key('name', piece.name), input: parsed(piece.args) }
    case 'served':
      return {
        type: `${nameOf(piece.id).replace('unknown_tool', 'web_search')}_tool_result`,
        ...key('tool_use_id', piece.id),
        content: [
          { type: 'web_search_result', title: piece.text, url: 'https://example.org', encrypted_content: sign('page') },
        ],
      }
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: PIXEL } }
  }
}

function writeGemini({ role, pieces }: Line, nameOf: NameOf): readonly unknown[] {
  return [{ role: role === 'assistant' ? 'model' : 'user', parts: pieces.map((piece) => geminiPart(piece, nameOf)) }]
}

function geminiPart(piece: Piece, nameOf: NameOf): Native {
  switch (piece.kind) {
    case 'think':
      return { text: piece.text, thought: true, ...(piece.signed ? { thoughtSignature: sign(piece.text) } : {}) }
    case 'call':
      return {
        functionCall: { ...key('id', piece.id), ...key('name', piece.name), args: parsed(piece.args) },
        ...(piece.signed ? { thoughtSignature: sign(piece.args) } : {}),
      }
    case 'result':
      return {
        functionResponse: {
          ...key('id', piece.id),
          name: nameOf(piece.id),
          response: { [piece.failed ? 'error' : 'output']: piece.text },
        },
      }
    case 'image':
      return { inlineData: { mimeType: 'image/gif', data: PIXEL } }
    default:
      return { text: 'text' in piece ? piece.text : '' }
  }
}

function writeBedrock({ role, pieces }: Line): readonly unknown[] {
  return [{ role: role === 'assistant' ? role : 'user', content: pieces.map(bedrockBlock) }]
}

function bedrockBlock(piece: Piece): Native {
  switch (piece.kind) {
    case 'think': {
      const signature = piece.signed ? { signature: sign(piece.text) } : {}
      return { reasoningContent: { reasoningText: { text: piece.text, ...signature } } }
    }
    case 'call':
      return { toolUse: { ...key('toolUseId', piece.id), ...key('name', piece.name), input: parsed(piece.args) } }
    case 'result':
      return {
        toolResult: {
          ...key('toolUseId', piece.id),
          content: [{ text: piece.text }],
          ...(piece.failed ? { status: 'error' } : {}),
        },
      }
    case 'image':
      return { image: { format: 'gif', source: { bytes: PIXEL } } }
    default:
      return { text: 'text' in piece ? piece.text : '' }
  }
}
