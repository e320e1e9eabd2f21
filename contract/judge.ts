/**
 * Decides whether a provider would accept a request. A rejection has the provider's own status, body and words. Written
 * from the evidence in docs/rejections.md alone. Never throws for a body; time is linear in its size.
 */

import { anthropicCheck, bedrockInvokeCheck } from './judges/anthropic/index.ts'
import { bedrockCheck } from './judges/bedrock/index.ts'
import * as body from './judges/bodies.ts'
import { chatShape } from './judges/chat.ts'
import { cerebrasCheck, groqCheck, perplexityCheck, xaiCheck, zhipuCheck } from './judges/compatible.ts'
import { dashscopeCheck } from './judges/dashscope.ts'
import { deepseekChatCheck, deepseekMessagesCheck, deepseekResponsesCheck } from './judges/deepseek.ts'
import { geminiCheck, vertexGeminiCheck } from './judges/gemini/index.ts'
import { field } from './judges/json.ts'
import { llamacppCheck, ollamaCheck, vllmCheck } from './judges/local.ts'
import { mimoCheck } from './judges/mimo.ts'
import { minimaxCheck } from './judges/minimax.ts'
import { mistralCheck } from './judges/mistral.ts'
import { moonshotCheck } from './judges/moonshot.ts'
import { azureChatCheck, openaiChatCheck, relayChatCheck } from './judges/openai-chat.ts'
import { openrouterChat, openrouterMessages, openrouterResponses } from './judges/openrouter.ts'
import type { EndpointJudge, JudgedRequest } from './judges/rejection.ts'
import {
  azureResponsesCheck,
  bedrockResponsesCheck,
  copilotResponsesCheck,
  openaiResponsesCheck,
  xaiResponsesCheck,
} from './judges/responses/index.ts'
import { ContractError, checkObject, nearest, unknownName } from './options.ts'

/** A wire format that the emulators speak. */
export type Endpoint = 'messages' | 'chat' | 'responses' | 'gemini' | 'converse'

/** Some providers have another error format on a streaming endpoint. By default nothing disputed is rejected. */
export interface JudgeRequest extends Partial<Pick<JudgedRequest, 'stream' | 'issuedIds' | 'disputed'>> {
  readonly provider: string
  /** Default: the provider's first endpoint. */
  readonly endpoint?: Endpoint
  /** Default: `body.model`. Without either, constraints of single models do not reject. */
  readonly model?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What `judge` returns. */
export type Verdict =
  | { readonly accepted: true }
  | {
      readonly accepted: false
      /** The rule, as in docs/rejections.md. */
      readonly rule: string
      readonly status: number
      /** The text alone, without the provider's error format around it. */
      readonly message: string
      readonly body: unknown
    }

const REQUEST: Readonly<Record<keyof JudgeRequest, readonly string[]>> = {
  provider: ['string'],
  endpoint: ['string'],
  model: ['string'],
  headers: ['object'],
  body: [],
  stream: ['boolean'],
  issuedIds: ['object'],
  disputed: ['boolean'],
}

/** Throws for wrong use, never for a body. Unknown providers are judged like the main one of the endpoint. */
function check(request: JudgeRequest): void {
  checkObject('the request of judge', request, REQUEST, " Pass { provider: 'openai', body }.")
  const { provider, endpoint } = request
  if (typeof provider !== 'string') throw new ContractError('judge needs a provider: { provider: "openai", body }.')
  if (!PROVIDERS.has(provider) && nearest(provider, [...PROVIDERS.keys()]) !== undefined)
    throw unknownName('provider', provider, [...PROVIDERS.keys()])
  if (endpoint !== undefined && !MAIN.has(endpoint)) throw unknownName('endpoint', endpoint, [...MAIN.keys()])
}

/** Whether a provider accepts this request, and with which error it rejects it. */
export function judge(request: JudgeRequest): Verdict {
  check(request)
  const endpoint = judgeOf(request)
  const judged = judgedRequest(request)
  const rejection = endpoint.check(judged)
  if (!rejection) return { accepted: true }
  const { rule, message, status = 400 } = rejection
  return { accepted: false, rule, status, message, body: endpoint.body(rejection, judged) }
}

const NONE: ReadonlySet<string> = new Set()

function judgedRequest({ body, model, headers, stream, issuedIds: given, disputed }: JudgeRequest): JudgedRequest {
  const named = model ?? field(body, 'model')
  const lower = headers && Object.fromEntries(Object.entries(headers).map(([key, text]) => [key.toLowerCase(), text]))
  // Relays spell model names differently: `DeepSeek-V4`, `Claude-Sonnet-4.6`.
  const settled = typeof named === 'string' ? named.toLowerCase() : undefined
  return {
    body,
    model: settled,
    headers: lower,
    stream: stream ?? false,
    issuedIds: given ?? NONE,
    disputed: disputed ?? false,
  }
}

/** The first endpoint of a provider is its default. */
type EndpointJudges = ReadonlyMap<Endpoint, EndpointJudge>

function endpoints(...entries: readonly (readonly [Endpoint, EndpointJudge])[]): EndpointJudges {
  return new Map(entries)
}

const ANTHROPIC: EndpointJudge = { check: anthropicCheck, body: body.anthropicBody }
const CHAT: EndpointJudge = { check: openaiChatCheck, body: body.openaiBody }
const RESPONSES: EndpointJudge = { check: openaiResponsesCheck, body: body.openaiBody }
const GEMINI: EndpointJudge = { check: geminiCheck, body: body.geminiBody }
const CONVERSE: EndpointJudge = { check: bedrockCheck, body: body.bedrockBody }

/** The judges for unknown providers and endpoints: those of the dialect's main provider. */
const MAIN: EndpointJudges = endpoints(
  ['chat', CHAT],
  ['messages', ANTHROPIC],
  ['responses', RESPONSES],
  ['gemini', GEMINI],
  ['converse', CONVERSE],
)

const PROVIDERS = new Map<string, EndpointJudges>([
  ['anthropic', endpoints(['messages', ANTHROPIC])],
  ['openai', endpoints(['chat', CHAT], ['responses', RESPONSES])],
  ['openai-responses', endpoints(['responses', RESPONSES])],
  [
    'azure',
    endpoints(
      ['chat', { check: azureChatCheck, body: body.openaiBody }],
      ['responses', { check: azureResponsesCheck, body: body.openaiBody }],
      ['messages', ANTHROPIC],
    ),
  ],
  [
    'copilot',
    endpoints(
      ['chat', { check: relayChatCheck, body: body.openaiBody }],
      ['responses', { check: copilotResponsesCheck, body: body.openaiBody }],
      ['messages', ANTHROPIC],
    ),
  ],
  // There is no report about its OpenAI-compatible endpoint: only the message format is judged.
  ['gemini', endpoints(['gemini', GEMINI], ['chat', { check: chatShape, body: body.openaiBody }])],
  [
    'vertex',
    endpoints(
      ['gemini', { check: vertexGeminiCheck, body: body.geminiBody }],
      ['messages', { check: anthropicCheck, body: body.vertexAnthropicBody }],
    ),
  ],
  [
    'bedrock',
    endpoints(
      ['converse', CONVERSE],
      ['messages', { check: bedrockInvokeCheck, body: body.bedrockBody }],
      ['responses', { check: bedrockResponsesCheck, body: body.openaiBody }],
    ),
  ],
  ['mistral', endpoints(['chat', { check: mistralCheck, body: body.mistralBody }])],
  [
    'deepseek',
    endpoints(
      ['chat', { check: deepseekChatCheck, body: body.deepseekBody }],
      ['messages', { check: deepseekMessagesCheck, body: body.anthropicBody }],
      ['responses', { check: deepseekResponsesCheck, body: body.deepseekBody }],
    ),
  ],
  ['moonshot', endpoints(['chat', { check: moonshotCheck, body: body.plainErrorBody }])],
  ['dashscope', endpoints(['chat', { check: dashscopeCheck, body: body.dashscopeBody }])],
  ['zhipu', endpoints(['chat', { check: zhipuCheck, body: body.zhipuBody }])],
  [
    'xai',
    endpoints(
      ['chat', { check: xaiCheck, body: body.xaiBody }],
      ['responses', { check: xaiResponsesCheck, body: body.xaiBody }],
    ),
  ],
  ['groq', endpoints(['chat', { check: groqCheck, body: body.plainErrorBody }])],
  ['cerebras', endpoints(['chat', { check: cerebrasCheck, body: body.cerebrasBody }])],
  ['perplexity', endpoints(['chat', { check: perplexityCheck, body: body.perplexityBody }])],
  ['mimo', endpoints(['chat', { check: mimoCheck, body: body.mimoBody }])],
  ['minimax', endpoints(['chat', { check: minimaxCheck, body: body.openaiBody }])],
  [
    'openrouter',
    endpoints(['chat', openrouterChat], ['messages', openrouterMessages], ['responses', openrouterResponses]),
  ],
  ['llamacpp', endpoints(['chat', { check: llamacppCheck, body: body.llamacppBody }])],
  ['vllm', endpoints(['chat', { check: vllmCheck, body: body.vllmBody }])],
  ['ollama', endpoints(['chat', { check: ollamaCheck, body: body.openaiBody }])],
])

/** Every provider with a judge of its own, and so every one that the server emulates. */
export const judgedProviders: readonly string[] = [...PROVIDERS.keys()]

function judgeOf({ provider, endpoint }: JudgeRequest): EndpointJudge {
  const own = PROVIDERS.get(provider) ?? MAIN
  if (endpoint === undefined) return own.values().next().value ?? CHAT
  return own.get(endpoint) ?? MAIN.get(endpoint) ?? CHAT
}
