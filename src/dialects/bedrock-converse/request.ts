/** Requests of this dialect: address, body, and the pieces of text in an answer. */
import { type JsonObject, own } from '../../core/index.ts'
import { type DeclaredTool, ifAny, type RequestForm } from '../request.ts'

export const bedrockConverseRequest: RequestForm = {
  path: (model) => `/model/${encodeURIComponent(model)}/converse-stream`,
  // Converse cannot forbid declared tools: the prompt has to.
  body: ({ history, system, tools }) => ({
    ...(system === undefined ? {} : { system: [{ text: system }] }),
    messages: history,
    ...ifAny(tools, {
      toolConfig: { tools: tools.map(toolSpec) },
    }),
  }),
  deltas: ({ delta }) => [
    ['reasoning', own(own(delta, 'reasoningContent'), 'text')],
    ['text', own(delta, 'text')],
  ],
}

function toolSpec({ name, description, schema }: DeclaredTool): JsonObject {
  return { toolSpec: { name, ...(description === undefined ? {} : { description }), inputSchema: { json: schema } } }
}
