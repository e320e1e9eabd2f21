/**
 * For each dialect: the provider that tests use for it, and the endpoint at which the contract judges it; in process
 * there is none. A dialect without a row does not compile: the contract would not judge it, and no test would say so.
 */
import type { Endpoint } from '../contract/judge.ts'
import type { DialectId, ProviderId } from '../src/index.ts'

interface Row {
  readonly provider: ProviderId
  readonly endpoint: Endpoint | undefined
}

const table: Readonly<Record<DialectId, Row>> = {
  'openai-chat': { provider: 'openai', endpoint: 'chat' },
  'openai-responses': { provider: 'openai-responses', endpoint: 'responses' },
  'anthropic-messages': { provider: 'anthropic', endpoint: 'messages' },
  gemini: { provider: 'gemini', endpoint: 'gemini' },
  'bedrock-converse': { provider: 'bedrock', endpoint: 'converse' },
  'ai-sdk': { provider: 'ai-sdk', endpoint: undefined },
  'ai-sdk-ui': { provider: 'ai-sdk-ui', endpoint: undefined },
  langchain: { provider: 'langchain', endpoint: undefined },
}

/** The main provider, by dialect. */
export const mains: Readonly<Record<string, ProviderId>> = Object.fromEntries(
  Object.entries(table).map(([dialect, { provider }]) => [dialect, provider]),
)

/** By dialect; only those that have a wire. */
export const endpoints: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.entries(table).flatMap(([dialect, { endpoint }]) => (endpoint ? [[dialect, endpoint]] : [])),
)
