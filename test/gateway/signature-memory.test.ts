/**
 * A client that drops Gemini's thought signatures, through a gateway with `signatureMemory`: each key has its own
 * memory.
 */
import { expect, it } from 'vitest'
import { hashOf } from '../../src/gateway/index.ts'
import { running } from './start-gateway.ts'

const [ALICE, BOB] = ['sk-suture-aaaaaaaaaaaaaaaaaaaaaaaa', 'sk-suture-bbbbbbbbbbbbbbbbbbbbbbbb']
const keys = [
  { name: 'alice', hash: hashOf(ALICE) },
  { name: 'bob', hash: hashOf(BOB) },
]
const call = { id: 'call_0', name: 'weather', arguments: { city: 'Oslo' } }
const prompt = { role: 'user', parts: [{ text: 'Oslo?' }] }
const dropped = [
  prompt,
  { role: 'model', parts: [{ functionCall: { id: 'call_0', name: 'weather', args: { city: 'Oslo' } } }] },
  { role: 'user', parts: [{ functionResponse: { id: 'call_0', name: 'weather', response: { output: 'Sunny.' } } }] },
]

it.each(['generateContent', 'streamGenerateContent?alt=sse'])('restores signatures by key: %s', async (method) => {
  const script = [{ calls: [call] }, { text: 'Sunny.' }, { text: 'Sunny.' }]
  const { url, contract, logged, close } = await running({ keys, guard: { signatureMemory: true } }, { script })
  const ask = async (key: string, contents: readonly unknown[]) => {
    const address = `${url}/gemini/v1beta/models/gemini-3-pro-preview:${method}`
    const headers = { 'x-goog-api-key': key, 'content-type': 'application/json' }
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ contents }) })
    return response.text()
  }
  try {
    const [, signature] = /"thoughtSignature":\s*"([^"]+)"/.exec(await ask(ALICE, [prompt])) ?? []
    await ask(ALICE, dropped)
    await ask(BOB, dropped)
    const [, alice, bob] = contract.requests.map(({ body }) => JSON.stringify(body))
    expect(signature).toBeDefined()
    expect(alice).toContain(signature)
    expect(bob).not.toContain(signature)
    expect((await logged()).map((line) => line['restored'])).toEqual([undefined, 1, undefined])
  } finally {
    await close()
  }
})
