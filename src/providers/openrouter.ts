import type { Laws, Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages.ts'
import { openaiChat } from '../dialects/openai-chat.ts'
import { openaiResponses } from '../dialects/openai-responses.ts'
import { routed } from './by-model.ts'
import { messagesLaws } from './claude.ts'
import { dashscope } from './dashscope.ts'
import { deepseek } from './deepseek.ts'
import { M } from './evidence.ts'
import { mistral } from './mistral.ts'
import { CLAUDE_4_6 } from './models.ts'
import { moonshot } from './moonshot.ts'
import { chatLaws, responsesLaws } from './openai-laws.ts'
import { xai } from './xai.ts'
import { zhipu } from './zhipu.ts'

/** Whose models are judged by their own maker, in the first part of a model's name. */
const upstreams: readonly (readonly [RegExp, Provider])[] = [
  [/mistralai\//i, mistral],
  [/qwen\//i, dashscope],
  [/x-ai\//i, xai],
  [/z-ai\//i, zhipu],
  [/deepseek\//i, deepseek],
  [/moonshotai\//i, moonshot],
]

/** Passed on to whoever serves the model, and judged there; all others as OpenAI does. */
const routedLaws = upstreams.reduce<Laws>((laws, [models, { serves }]) => routed(laws, serves[0]!.laws, models), {
  ...chatLaws,
  'last-assistant-prefill': M({ models: CLAUDE_4_6 }),
})

export const openrouter: Provider = {
  id: 'openrouter',
  hosts: [/(^|\.)openrouter\.ai$/],
  serves: [
    { dialect: openaiChat, laws: routedLaws },
    { dialect: openaiResponses, laws: responsesLaws },
    { dialect: anthropicMessages, laws: messagesLaws },
  ],
}
