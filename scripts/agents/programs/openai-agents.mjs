// A minimal agent of @openai/agents with one shell tool: prompt, base URL, model, API.
import { execSync } from 'node:child_process'
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import { z } from 'zod'

const [prompt, baseURL, model, api] = process.argv.slice(2)
setTracingDisabled(true)
const shell = tool({
  name: 'shell',
  description: 'Runs a shell command.',
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => execSync(command, { encoding: 'utf8' }),
})
const modelProvider = new OpenAIProvider({ apiKey: 'sk-scripted', baseURL, useResponses: api === 'responses' })
const agent = new Agent({ name: 'scripted', instructions: 'Do what is asked.', model, tools: [shell] })
const result = await new Runner({ modelProvider }).run(agent, prompt, { stream: true })
await result.completed
console.log(result.finalOutput)
