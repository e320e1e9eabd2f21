/**
 * OpenRouter (contracts.md, G): the upstream judges, and its body comes back as a string in `metadata.raw`.
 * The upstream is the first part of the model's name; where it does not speak the chat shape itself, OpenAI's laws stand in.
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
import type { Asked, Body, Seat } from './refusal.ts'
import { openaiResponsesCheck } from './responses/index.ts'

interface Upstream extends Seat {
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
  // Several hosts serve these: accepted without reasoning (recorded), so no law that goes by the model.
  ['deepseek', { name: 'DeepSeek', check: unnamed(deepseekChatCheck), body: deepseekBody }],
  ['moonshotai', { name: 'Moonshot AI', check: unnamed(moonshotCheck), body: plainErrorBody }],
])

function unnamed(check: Seat['check']): Seat['check'] {
  return (asked) => check({ ...asked, model: undefined })
}

function upstreamOf({ model }: Asked): Upstream {
  return UPSTREAMS.get(model?.split('/')[0] ?? '') ?? OPENAI
}

function wrapped(upstreamOf: (asked: Asked) => Upstream): Seat {
  const body: Body = (refusal, asked) => {
    const upstream = upstreamOf(asked)
    const raw = JSON.stringify(upstream.body(refusal, asked))
    const metadata = { raw, provider_name: upstream.name, is_byok: false }
    return {
      error: { message: 'Provider returned error', code: refusal.status ?? 400, metadata },
      user_id: 'user_suture',
    }
  }
  return { check: (asked) => upstreamOf(asked).check(asked), body }
}

export const openrouterChat = wrapped(upstreamOf)
export const openrouterMessages = wrapped(() => ANTHROPIC)
export const openrouterResponses = wrapped(() => RESPONSES)
