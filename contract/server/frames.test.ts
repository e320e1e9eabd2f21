import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, expect, test } from 'vitest'
import { crc32 } from './eventstream.ts'
import { pieces } from './pieces.ts'
import { startContract } from './server.ts'

const TEXT = 'Ænd thén 🙂 – naïve “quotes”\n\ndata: not an event\r\n\r\nend.'

const contract = await startContract()
afterAll(() => contract.close())

test('the checksum is the one of the standard', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
})

test.each([1, 2, 3, 4, 7, 1000])('pieces of %i bytes are whole characters and lose nothing', (bytes) => {
  const cut = pieces(TEXT, bytes)
  expect(cut.join('')).toBe(TEXT)
  for (const piece of cut) expect(Buffer.byteLength(piece) <= bytes || [...piece].length === 1).toBe(true)
})

test.each([1, 2, 3, 5, 64])('every client reads a stream written %i bytes at a time', async (write) => {
  const reply = { text: TEXT, chunkBytes: 3, writeBytes: write }
  contract.script(reply, reply, reply, reply)
  expect(await viaOpenAI()).toBe(TEXT)
  expect(await viaAnthropic()).toBe(TEXT)
  expect(await viaGoogle()).toBe(TEXT)
  expect(await viaBedrock()).toBe(TEXT)
})

async function viaOpenAI(): Promise<string> {
  const client = new OpenAI({ apiKey: 'none', baseURL: `${contract.url}/v1` })
  const stream = client.chat.completions.stream({ model: 'gpt-4o', messages: [{ role: 'user', content: 'x' }] })
  return (await stream.finalContent()) ?? ''
}

async function viaAnthropic(): Promise<string> {
  const client = new Anthropic({ apiKey: 'none', baseURL: contract.url })
  const messages = [{ role: 'user' as const, content: 'x' }]
  return client.messages.stream({ model: 'claude-opus-4-5', max_tokens: 100, messages }).finalText()
}

async function viaGoogle(): Promise<string> {
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: contract.url } })
  let text = ''
  for await (const chunk of await client.models.generateContentStream({ model: 'gemini-2.5-flash', contents: 'x' }))
    text += chunk.text ?? ''
  return text
}

async function viaBedrock(): Promise<string> {
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' }
  const client = new BedrockRuntimeClient({ region: 'eu-west-1', endpoint: contract.url, credentials })
  const messages = [{ role: 'user' as const, content: [{ text: 'x' }] }]
  const answer = await client.send(new ConverseStreamCommand({ modelId: 'amazon.nova-pro-v1:0', messages }))
  let text = ''
  for await (const event of answer.stream ?? []) text += event.contentBlockDelta?.delta?.text ?? ''
  client.destroy()
  return text
}
