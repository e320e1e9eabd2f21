/** Pieces of other dialects as Gemini's parts, and Gemini's media as pieces. */
import { isObject, type JsonObject, type MediaPiece, type NeutralForm, own } from '../../core/index.ts'
import { listOf, textOf } from '../blocks.ts'
import { blockWriter } from '../compose-messages.ts'
import { marksOf } from '../detect.ts'
import { fromData, fromUrl, typeOfLink } from '../media.ts'

/** Files uploaded to Google: their link needs the account's key. */
const PRIVATE = /^https:\/\/generativelanguage\.googleapis\.com\//i

export const neutral: NeutralForm = {
  ...marksOf('gemini'),
  hasForeignFields: (message) => message['parts'] === undefined,
  mediaOf(value) {
    const inline = value['inlineData'] ?? value['inline_data']
    if (isObject(inline)) return fromData(inline['data'], inline['mimeType'] ?? inline['mime_type'])
    const file = value['fileData'] ?? value['file_data']
    if (!isObject(file)) return undefined
    const url = file['fileUri'] ?? file['file_uri']
    const piece = fromUrl(url, file['mimeType'] ?? file['mime_type'] ?? typeOfLink(url))
    return piece && PRIVATE.test(piece.url ?? '') ? { ...piece, isPrivate: true } : piece
  },
  // Code that the provider ran, and its output.
  wordsOf(value) {
    const code = value['executableCode'] ?? value['executable_code']
    if (isObject(code)) return fenced(textOf(code['code']), textOf(code['language']).toLowerCase())
    const result = value['codeExecutionResult'] ?? value['code_execution_result']
    return isObject(result) ? fenced(textOf(result['output'])) : undefined
  },
  takesMedia: ({ mediaType, data }) => data !== undefined && mediaType !== undefined,
  compose: (role, pieces, base = {}) => [{ ...base, role: roleFor(role), parts: pieces.map(part) }],
  instructions({ systemInstruction, system_instruction: snake }) {
    const key = systemInstruction === undefined ? 'system_instruction' : 'systemInstruction'
    const texts = listOf(own(systemInstruction ?? snake, 'parts')).map((one) => textOf(own(one, 'text')))
    const text = texts.filter((one) => one !== '').join('\n\n')
    return text === '' ? undefined : { key, text }
  },
}

function fenced(text: string, language = ''): string {
  return text === '' ? '' : `\`\`\`${language}\n${text}\n\`\`\``
}

function roleFor(role: string): string {
  if (role === 'assistant') return 'model'
  return role === 'system' ? role : 'user'
}

const part = blockWriter({
  text: (text) => ({ text }),
  media: mediaPart,
  call: ({ id, name, arguments: args }) => ({ functionCall: { ...idOf(id), name, args } }),
  result({ id, name = '', text, media, failed }) {
    const response = { [failed ? 'error' : 'output']: text }
    const parts = media.length > 0 ? { parts: media.map(mediaPart) } : {}
    return { functionResponse: { ...idOf(id), name, response, ...parts } }
  },
})

function idOf(id: string | undefined): JsonObject {
  return id === undefined ? {} : { id }
}

function mediaPart({ mediaType, data }: MediaPiece): JsonObject {
  return { inlineData: { mimeType: mediaType, data } }
}
