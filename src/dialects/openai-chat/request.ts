/** Requests of this dialect: address, body, and the pieces of text in an answer. */
import { own } from '../../core/index.ts'
import { listAt } from '../replies/assembly.ts'
import { declaration, ifAny, type RequestForm } from '../request.ts'

export const openaiChatRequest: RequestForm = {
  path: () => '/chat/completions',
  body: ({ model, history, system, tools, answerOnly }) => ({
    model,
    messages: system === undefined ? history : [{ role: 'system', content: system }, ...history],
    stream: true,
    ...ifAny(tools, { tools: tools.map((tool) => ({ type: 'function', function: declaration(tool, 'parameters') })) }),
    ...(answerOnly ? ifAny(tools, { tool_choice: 'none' }) : {}),
  }),
  deltas(value) {
    const [choice] = listAt(value, 'choices')
    const delta = own(choice, 'delta')
    const parts = listAt(delta, 'content').map((part) => ['text', own(part, 'text')] as const)
    const thought = own(delta, 'reasoning_content') ?? own(delta, 'reasoning')
    return [['reasoning', thought], ['text', own(delta, 'content')], ...parts]
  },
}
