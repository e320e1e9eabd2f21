/** Requests of this dialect: address, body, and the pieces of text in an answer. */
import { declaration, ifAny, type RequestForm } from '../request.ts'

export const openaiResponsesRequest: RequestForm = {
  path: () => '/responses',
  body: ({ model, history, system, tools, answerOnly }) => ({
    model,
    ...(system === undefined ? {} : { instructions: system }),
    input: history,
    stream: true,
    ...ifAny(tools, {
      tools: tools.map((tool) => ({ type: 'function', ...declaration(tool, 'parameters'), strict: false })),
    }),
    ...(answerOnly ? ifAny(tools, { tool_choice: 'none' }) : {}),
  }),
  deltas({ type, delta }) {
    if (type === 'response.output_text.delta') return [['text', delta]]
    return typeof type === 'string' && /^response\.reasoning\w*\.delta$/.test(type) ? [['reasoning', delta]] : []
  },
}
