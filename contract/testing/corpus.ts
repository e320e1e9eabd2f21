/**
 * Reads the shared corpus of real conversations, if available: `SUTURE_CORPUS`, or a folder next to the project.
 * Nothing of it is copied into the project.
 */

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Endpoint, JudgeRequest } from '../judge.ts'

const folder = resolve(process.env.SUTURE_CORPUS ?? '../shared/corpus')

export interface Row {
  readonly id: string
  readonly dialect: string
  readonly messages: unknown
  readonly host?: string
  readonly model?: string
  readonly status?: number
  readonly provider_status?: number
  readonly provider_error?: string
  readonly reported_error?: string
  /** The fault in the reporter's words. */
  readonly class?: string
  readonly valid_in_this_dialect?: boolean
  readonly tools?: unknown
  readonly system?: unknown
  readonly thinking?: unknown
  readonly previous_response_id?: unknown
  readonly conversation?: unknown
}

/** The rows of one file; empty if it is absent. */
export function rowsOf(name: string): readonly Row[] {
  const plain = resolve(folder, `${name}.jsonl`)
  const packed = `${plain}.gz`
  if (!existsSync(plain) && !existsSync(packed)) return []
  const text = existsSync(plain) ? readFileSync(plain, 'utf8') : gunzipSync(readFileSync(packed)).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

export interface ErrorEntry {
  readonly dialect: string
  readonly provider: string
  readonly message: string
  readonly rule: string
  readonly recovery: string
}

export function errorEntries(): readonly ErrorEntry[] {
  const file = resolve(folder, '..', 'error-corpus.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ErrorEntry[]) : []
}

/** The provider of a host. Relays and unknown hosts get the dialect's main provider. */
const HOSTS: readonly (readonly [string, string])[] = [
  ['api.mistral.ai', 'mistral'],
  ['api.deepseek.com', 'deepseek'],
  ['api.x.ai', 'xai'],
  ['api.groq.com', 'groq'],
  ['api.cerebras.ai', 'cerebras'],
  ['api.perplexity.ai', 'perplexity'],
  ['xiaomimimo.com', 'mimo'],
  ['api.z.ai', 'zhipu'],
  ['bigmodel.cn', 'zhipu'],
  ['moonshot', 'moonshot'],
  ['dashscope', 'dashscope'],
  ['openrouter.ai', 'openrouter'],
  ['githubcopilot', 'copilot'],
  ['azure.com', 'azure'],
  ['ollama', 'ollama'],
  ['localhost', 'llamacpp'],
  ['aiplatform.googleapis.com', 'vertex'],
  ['bedrock', 'bedrock'],
]

const ENDPOINTS = new Map<string, Endpoint>([
  ['anthropic', 'messages'],
  ['openai-chat', 'chat'],
  ['openai-responses', 'responses'],
  ['gemini', 'gemini'],
  ['bedrock-converse', 'converse'],
])
const MAIN = { messages: 'anthropic', chat: 'openai', responses: 'openai', gemini: 'gemini', converse: 'bedrock' }

/** The request of a row. */
export function requestOf(row: Row): JudgeRequest {
  const endpoint = ENDPOINTS.get(row.dialect) ?? 'chat'
  const served = HOSTS.find(([part]) => row.host?.includes(part))?.[1]
  const request = { provider: served ?? MAIN[endpoint], endpoint, body: bodyOf(row, endpoint) }
  return row.model === undefined ? request : { ...request, model: row.model }
}

function bodyOf(row: Row, endpoint: Endpoint): unknown {
  const { messages, tools, system, thinking, previous_response_id, conversation } = row
  switch (endpoint) {
    case 'gemini':
      return { contents: messages, tools, systemInstruction: system }
    // The corpus does not have the declared tools of Converse.
    case 'converse':
      return { messages, system, toolConfig: { tools: [] } }
    case 'responses':
      return { input: messages, tools, instructions: system, previous_response_id, conversation }
    default:
      return { messages, tools, system, thinking }
  }
}
