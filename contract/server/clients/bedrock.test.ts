import {
  BedrockRuntimeClient,
  type ContentBlock,
  ConverseCommand,
  ConverseStreamCommand,
  type Message,
  type Tool,
  ValidationException,
} from '@aws-sdk/client-bedrock-runtime'
import { afterAll, expect, test } from 'vitest'
import { startContract } from '../server.ts'
import { FINAL, RESULTS, rejection, TOOLS } from '../testing/tools.ts'

const contract = await startContract()
afterAll(() => contract.close())

const credentials = { accessKeyId: 'none', secretAccessKey: 'none' }
// The client with its defaults: it uses HTTP/2 for any endpoint.
const client = () =>
  new BedrockRuntimeClient({ region: 'eu-west-1', endpoint: contract.url, credentials, maxAttempts: 1 })

const modelId = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0'
const tools: Tool[] = TOOLS.map(({ name, description, schema }) => ({
  toolSpec: { name, description, inputSchema: { json: { ...schema, required: [...schema.required] } } },
}))
const toolConfig = { tools }
const additionalModelRequestFields = { thinking: { type: 'enabled', budget_tokens: 1024 } }

test.each(['whole', 'streamed'])('three rounds with reasoning, %s', async (how) => {
  const messages: Message[] = [{ role: 'user', content: [{ text: 'What is it like today?' }] }]
  for (let round = 0; round < 3; round++) {
    const content = await (how === 'whole' ? ask(messages) : stream(messages))
    messages.push({ role: 'assistant', content })
    const results = content.flatMap(({ toolUse }): ContentBlock[] => {
      const text = RESULTS[toolUse?.name ?? '']
      return toolUse ? [{ toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: text ?? '' }] } }] : []
    })
    if (results.length > 0) messages.push({ role: 'user', content: results })
  }
  expect(contract.requests.at(-1)).toMatchObject({ model: modelId, verdict: { accepted: true } })
  expect(messages.at(-1)?.content?.at(-1)?.text).toBe(FINAL)
})

async function ask(messages: Message[]): Promise<ContentBlock[]> {
  const command = new ConverseCommand({ modelId, messages, toolConfig, additionalModelRequestFields })
  const answer = await client().send(command)
  return answer.output?.message?.content ?? []
}

async function stream(messages: Message[]): Promise<ContentBlock[]> {
  const command = new ConverseStreamCommand({ modelId, messages, toolConfig, additionalModelRequestFields })
  const blocks: {
    text: string
    thought: string
    signature: string
    use?: { toolUseId?: string; name?: string }
    json: string
  }[] = []
  const names: string[] = []
  for await (const event of (await client().send(command)).stream ?? []) {
    names.push(...Object.keys(event))
    const index = event.contentBlockDelta?.contentBlockIndex ?? event.contentBlockStart?.contentBlockIndex
    if (index === undefined) continue
    blocks[index] ??= { text: '', thought: '', signature: '', json: '' }
    const block = blocks[index]
    const use = event.contentBlockStart?.start?.toolUse
    if (use?.toolUseId && use.name) block.use = { toolUseId: use.toolUseId, name: use.name }
    const delta = event.contentBlockDelta?.delta
    block.text += delta?.text ?? ''
    block.json += delta?.toolUse?.input ?? ''
    block.thought += delta?.reasoningContent?.text ?? ''
    block.signature += delta?.reasoningContent?.signature ?? ''
  }
  expect(names[0]).toBe('messageStart')
  expect(names.slice(-2)).toEqual(['messageStop', 'metadata'])
  return blocks.map(({ text, thought, signature, use, json }): ContentBlock => {
    if (use) return { toolUse: { toolUseId: use.toolUseId, name: use.name, input: JSON.parse(json) } }
    return thought ? { reasoningContent: { reasoningText: { text: thought, signature } } } : { text }
  })
}

test.each([ConverseCommand, ConverseStreamCommand])(
  'a call without its result is a ValidationException',
  async (Command) => {
    const messages: Message[] = [
      { role: 'user', content: [{ text: 'x' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: {} } }] },
      { role: 'user', content: [{ text: 'and?' }] },
    ]
    const error = await rejection(client().send(new Command({ modelId, messages, toolConfig }) as ConverseCommand))
    expect(error).toBeInstanceOf(ValidationException)
    expect(error).toMatchObject({ name: 'ValidationException', $metadata: { httpStatusCode: 400 } })
    expect((error as Error).message).toContain(
      'Expected toolResult blocks at messages.2.content for the following Ids: tooluse_1',
    )
  },
)
