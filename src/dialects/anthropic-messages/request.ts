/** Requests of this dialect: address, body, and the pieces of text in an answer. */
import { own } from '../../core/index.ts'
import { declaration, ifAny, type RequestForm } from '../request.ts'

export const anthropicMessagesRequest: RequestForm = {
  path: () => '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  body: ({ model, history, system, tools, answerOnly }) => ({
    model,
    max_tokens: 8192,
    ...(system === undefined ? {} : { system }),
    messages: history,
    stream: true,
    ...ifAny(tools, { tools: tools.map((tool) => declaration(tool, 'input_schema')) }),
    ...(answerOnly ? ifAny(tools, { tool_choice: { type: 'none' } }) : {}),
  }),
  deltas: ({ delta }) => [
    ['reasoning', own(delta, 'thinking')],
    ['text', own(delta, 'text')],
  ],
}
