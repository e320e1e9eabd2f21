/**
 * The wire formats, the address of each, and the smallest request around a history.
 */
import type { Dialect } from '../../src/core/index.ts'
import { dialects } from '../../src/index.ts'
import { endpoints } from '../dialect-table.ts'
import type { Request } from './inventions.ts'

export const wired = dialects.filter(({ id }) => Object.hasOwn(endpoints, id))

export const urls: Readonly<Record<string, string>> = {
  'openai-chat': 'https://api.openai.com/v1/chat/completions',
  'openai-responses': 'https://api.openai.com/v1/responses',
  'anthropic-messages': 'https://api.anthropic.com/v1/messages',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
  'bedrock-converse': 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-v2/converse',
}

const around: Readonly<Record<string, object>> = {
  gemini: {},
  'bedrock-converse': { toolConfig: { tools: [] } },
  'anthropic-messages': { model: 'a-model', max_tokens: 9 },
}

export function requestOf(history: readonly unknown[], { id, key }: Dialect): Request {
  const body = { ...(around[id] ?? { model: 'a-model' }), [key]: history }
  return { body, headers: { authorization: 'Bearer x' } }
}
