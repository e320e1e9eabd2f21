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
const chat = new ChatOpenAI({ model, apiKey: 'sk-scripted', configuration: { baseURL }, streaming: true })
const agent = createDeepAgent({ model: chat, tools: [shell] })
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] })
console.log(messages.at(-1).text ?? messages.at(-1).content)
