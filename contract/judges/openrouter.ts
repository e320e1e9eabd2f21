/**
 * OpenRouter (docs/rejections.md#openrouter): the upstream judges, and its body comes back as a string in
 * `metadata.raw`. The upstream is the first part of the model's name; if it does not have the chat format itself,
 * OpenAI's constraints apply.
 */

import { anthropicCheck } from './anthropic/index.ts'
import {
  anthropicBody,
  dashscopeBody,
  deepseekBody,
  mistralBody,
  openaiBody,
  plainErrorBody,
  xaiBody,
  zhipuBody,
} from './bodies.ts'
import { xaiCheck, zhipuCheck } from './compatible.ts'
import { dashscopeCheck } from './dashscope.ts'
import { deepseekChatCheck } from './deepseek.ts'
import { mistralCheck } from './mistral.ts'
import { moonshotCheck } from './moonshot.ts'
import { relayChatCheck } from './openai-chat.ts'
import type { Body, EndpointJudge, JudgedRequest } from './rejection.ts'
import { openaiResponsesCheck } from './responses/index.ts'

interface Upstream extends EndpointJudge {
  readonly name: string
}

const OPENAI: Upstream = { name: 'OpenAI', check: relayChatCheck, body: openaiBody }
const ANTHROPIC: Upstream = { name: 'Anthropic', check: anthropicCheck, body: anthropicBody }
const RESPONSES: Upstream = { name: 'OpenAI', check: openaiResponsesCheck, body: openaiBody }

const UPSTREAMS = new Map<string, Upstream>([
  ['openai', OPENAI],
  ['anthropic', { ...OPENAI, name: 'Anthropic' }],
  ['google', { ...OPENAI, name: 'Google' }],
  ['mistralai', { name: 'Mistral', check: mistralCheck, body: mistralBody }],
  ['qwen', { name: 'Alibaba', check: dashscopeCheck, body: dashscopeBody }],
  ['x-ai', { name: 'xAI', check: xaiCheck, body: xaiBody }],
  ['z-ai', { name: 'Z.AI', check: zhipuCheck, body: zhipuBody }],
  // Several hosts serve these models: accepted without reasoning (recorded), so no constraint of the model applies.
  ['deepseek', { name: 'DeepSeek', check: unnamed(deepseekChatCheck), body: deepseekBody }],
  ['moonshotai', { name: 'Moonshot AI', check: unnamed(moonshotCheck), body: plainErrorBody }],
])

function unnamed(check: EndpointJudge['check']): EndpointJudge['check'] {
  return (request) => check({ ...request, model: undefined })
}

function upstreamOf({ model }: JudgedRequest): Upstream {
  return UPSTREAMS.get(model?.split('/')[0] ?? '') ?? OPENAI
}

function wrapped(upstreamOf: (request: JudgedRequest) => Upstream): EndpointJudge {
  const body: Body = (rejection, request) => {
    const upstream = upstreamOf(request)
    const raw = JSON.stringify(upstream.body(rejection, request))
    const metadata = { raw, provider_name: upstream.name, is_byok: false }
    return {
      error: { message: 'Provider returned error', code: rejection.status ?? 400, metadata },
      user_id: 'user_suture',
    }
  }
  return { check: (request) => upstreamOf(request).check(request), body }
}

export const openrouterChat = wrapped(upstreamOf)
export const openrouterMessages = wrapped(() => ANTHROPIC)
export const openrouterResponses = wrapped(() => RESPONSES)
