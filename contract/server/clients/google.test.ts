import { ApiError, type Content, GoogleGenAI, type Part } from '@google/genai'
import { afterAll, expect, test } from 'vitest'
import { startContract } from '../server.ts'
import { FINAL, RESULTS, rejection, TOOLS } from '../testing/tools.ts'

const contract = await startContract()
afterAll(() => contract.close())

const client = () => new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: contract.url } })

const config = {
  tools: [
    {
      functionDeclarations: TOOLS.map(({ name, description, schema }) => ({
        name,
        description,
        parametersJsonSchema: schema,
      })),
    },
  ],
  thinkingConfig: { includeThoughts: true },
}

test.each([
  { how: 'whole', model: 'gemini-2.5-flash' },
  { how: 'streamed', model: 'gemini-2.5-flash' },
  { how: 'whole', model: 'gemini-3-pro-preview' },
  { how: 'streamed', model: 'gemini-3-pro-preview' },
])('three rounds: $how, $model', async ({ how, model }) => {
  const contents: Content[] = [{ role: 'user', parts: [{ text: 'What is it like today?' }] }]
  for (let round = 0; round < 3; round++) {
    const parts = await (how === 'whole' ? ask(model, contents) : stream(model, contents))
    contents.push({ role: 'model', parts })
    const results = parts.flatMap(({ functionCall }): Part[] => {
      const name = functionCall?.name
      return name === undefined ? [] : [{ functionResponse: { name, response: { result: RESULTS[name] ?? '' } } }]
    })
    if (results.length > 0) contents.push({ role: 'user', parts: results })
  }
  const calls = contents.flatMap((content) => content.parts ?? []).filter((part) => part.functionCall)
  expect(calls.map((part) => part.functionCall?.name)).toEqual(['weather', 'news'])
  expect(calls.every((part) => part.thoughtSignature)).toBe(true)
  const last = contents
    .at(-1)
    ?.parts?.filter((part) => !part.thought)
    .map((part) => part.text)
  expect(last?.join('').replaceAll('{"result":"', '').replaceAll('"}', '')).toBe(FINAL)
})

async function ask(model: string, contents: Content[]): Promise<Part[]> {
  const answer = await client().models.generateContent({ model, contents, config })
  expect(answer.usageMetadata?.totalTokenCount).toBeGreaterThan(0)
  return answer.candidates?.[0]?.content?.parts ?? []
}

async function stream(model: string, contents: Content[]): Promise<Part[]> {
  const parts: Part[] = []
  let finish: string | undefined
  for await (const chunk of await client().models.generateContentStream({ model, contents, config })) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
    finish = chunk.candidates?.[0]?.finishReason
  }
  expect(finish).toBe('STOP')
  return parts
}

test.each(['generateContent', 'generateContentStream'] as const)(
  '%s: half the responses is an ApiError',
  async (how) => {
    const call = (name: string) => ({ functionCall: { name, args: {} } })
    const contents: Content[] = [
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: [call('weather'), call('news')] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { result: 'x' } } }] },
    ]
    const error = await rejection(client().models[how]({ model: 'gemini-2.5-flash', contents }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 400 })
    expect((error as Error).message).toContain(
      'number of function response parts is equal to the number of function call',
    )
  },
)

test('the client for Vertex finds its paths', async () => {
  const vertex = new GoogleGenAI({ vertexai: true, apiKey: 'none', httpOptions: { baseUrl: contract.url } })
  const answer = await vertex.models.generateContent({ model: 'gemini-2.5-flash', contents: 'Hello' })
  expect(answer.text).toBe('You said “Hello”.')
  expect(contract.requests.at(-1)).toMatchObject({ provider: 'vertex', model: 'gemini-2.5-flash' })
})
