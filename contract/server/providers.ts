import { type Endpoint, judgedProviders } from '../judge.ts'

/** Every provider that the contract emulates. */
export const PROVIDERS: readonly string[] = judgedProviders

/** The provider of an endpoint if the request names none. */
export const DEFAULT_PROVIDER: Readonly<Record<Endpoint, string>> = {
  messages: 'anthropic',
  chat: 'openai',
  responses: 'openai-responses',
  gemini: 'gemini',
  converse: 'bedrock',
}

export function isProvider(id: string): boolean {
  return PROVIDERS.includes(id)
}
