// A minimal agent of deepagents with one shell tool: prompt, base URL, model.
import { execSync } from 'node:child_process'
import { ChatOpenAI } from '@langchain/openai'
import { createDeepAgent } from 'deepagents'
import { tool } from 'langchain'
import { z } from 'zod'

const [prompt, baseURL, model] = process.argv.slice(2)
const shell = tool(async ({ command }) => execSync(command, { encoding: 'utf8' }), {
  name: 'shell',
  description: 'Runs a shell command.',
  schema: z.object({ command: z.string() }),
})
const chat = new ChatOpenAI({ model, apiKey: 'sk-scripted', configuration: { baseURL } })
const agent = createDeepAgent({ model: chat, tools: [shell] })
// With `streaming: true` on the model LangChain counts tokens with a table that it fetches from the network.
const input = { messages: [{ role: 'user', content: prompt }] }
let text = ''
for await (const [mode, value] of await agent.stream(input, { streamMode: ['messages', 'values'] })) {
  if (mode === 'values') text = value.messages.at(-1).text
}
console.log(text)
