// A minimal agent of @mastra/core with one shell tool: prompt, base URL, model.
import { execSync } from 'node:child_process'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'

const [prompt, url, model] = process.argv.slice(2)
const shell = createTool({
  id: 'shell',
  description: 'Runs a shell command.',
  inputSchema: z.object({ command: z.string() }),
  execute: async (input) => execSync(input.command ?? input.context?.command, { encoding: 'utf8' }),
})
const agent = new Agent({
  id: 'scripted',
  name: 'scripted',
  instructions: 'Do what is asked.',
  model: { id: `scripted/${model}`, url, apiKey: 'sk-scripted' },
  tools: { shell },
})
const stream = await agent.stream(prompt, { maxSteps: 10 })
console.log(await stream.text)
if (stream.error) {
  console.error(stream.error)
  process.exitCode = 1
}
