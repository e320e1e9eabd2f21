/** Requests of this dialect: address, body, and the pieces of text in an answer. */
import { own } from '../../core/index.ts'
import { listAt } from '../replies/assembly.ts'
import { declaration, ifAny, type RequestForm } from '../request.ts'

export const geminiRequest: RequestForm = {
  path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  body: ({ history, system, tools, answerOnly }) => ({
    ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: history,
    ...ifAny(tools, {
      tools: [{ functionDeclarations: tools.map((tool) => declaration(tool, 'parametersJsonSchema')) }],
    }),
    ...(answerOnly ? ifAny(tools, { toolConfig: { functionCallingConfig: { mode: 'NONE' } } }) : {}),
  }),
  deltas(value) {
    const [candidate] = listAt(value, 'candidates')
    const parts = listAt(own(candidate, 'content'), 'parts')
    return parts.map((part) => [own(part, 'thought') === true ? 'reasoning' : 'text', own(part, 'text')] as const)
  },
}
