import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { expect, test } from 'vitest'
import { startContract } from './server.ts'
import { request, way } from './testing/ways.ts'

test('clients may leave at any moment, over either HTTP, and the next one is served', async () => {
  const contract = await startContract()
  const reply = { text: 'a text of many chunks '.repeat(50), chunk: 2, write: 7 }
  const one = way('chat', true)
  for (let reads = 0; reads < 20; reads++) {
    contract.script(reply, reply)
    await Promise.all([leaveHttp1(contract.url + one.path, request(one), reads), leaveHttp2(contract.url, reads)])
  }
  const endings = await Promise.all(contract.requests.map((record) => record.done))
  expect(new Set(endings)).toEqual(new Set(['left']))
  const answer = await fetch(contract.url + one.path, request(one))
  expect(await answer.text()).toContain('[DONE]')
  await contract.close()
})

async function leaveHttp1(url: string, init: RequestInit, reads: number): Promise<void> {
  const leaving = new AbortController()
  const response = await fetch(url, { ...init, signal: leaving.signal })
  const reader = response.body!.getReader()
  for (let count = 0; count < reads; count++) await reader.read()
  leaving.abort()
}

async function leaveHttp2(endpoint: string, reads: number): Promise<void> {
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' }
  const client = new BedrockRuntimeClient({ region: 'eu-west-1', endpoint, credentials })
  const messages = [{ role: 'user' as const, content: [{ text: 'x' }] }]
  const answer = await client.send(new ConverseStreamCommand({ modelId: 'amazon.nova-pro-v1:0', messages }))
  let count = 0
  for await (const _ of answer.stream ?? []) if (count++ >= reads) break
  client.destroy()
}
