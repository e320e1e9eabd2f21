/**
 * The AI SDK with a guard, in both ways: as the `fetch` of a provider, and as a middleware around any model.
 */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type LanguageModelMiddleware, wrapLanguageModel } from 'ai'
import { startContract } from '../contract/index.ts'
import { guard, middleware } from '../src/guard/index.ts'

const contract = await startContract({
  script: [
    { fault: ['status=503', 'retry-after=0'] },
    { text: 'The fetch was guarded.' },
    { text: 'The model was wrapped.' },
  ],
})
const openai = createOpenAI({
  apiKey: 'none',
  baseURL: `${contract.url}/openai/v1`,
  fetch: guard({ provider: 'openai', onEvent: (event) => console.log(event.type) }),
})

console.log((await generateText({ model: openai.chat('gpt-4.1'), prompt: 'Hello', maxRetries: 0 })).text)

const model = wrapLanguageModel({ model: openai.chat('gpt-4.1'), middleware: middleware() as LanguageModelMiddleware })
console.log((await generateText({ model, prompt: 'Hello', maxRetries: 0 })).text)
await contract.close()
