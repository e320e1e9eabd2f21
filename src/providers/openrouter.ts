import type { Provider } from '../core/index.ts'
import type { Constraints } from '../rules/index.ts'
import { routed } from './by-model.ts'
import { dashscope } from './dashscope.ts'
import { deepseek } from './deepseek.ts'
import { mistral } from './mistral.ts'
import { CLAUDE_4_6 } from './models.ts'
import { moonshot } from './moonshot.ts'
import { chatConstraints } from './openai-constraints.ts'
import { threeDialects } from './three-dialects.ts'
import { xai } from './xai.ts'
import { zhipu } from './zhipu.ts'

/** Models whose maker serves them, by the first part of a model's name. */
const upstreams: readonly (readonly [RegExp, Provider])[] = [
  [/mistralai\//i, mistral],
  [/qwen\//i, dashscope],
  [/x-ai\//i, xai],
  [/z-ai\//i, zhipu],
  [/deepseek\//i, deepseek],
  [/moonshotai\//i, moonshot],
]

const base: Constraints = {
  ...chatConstraints,
  'last-assistant-prefill': { evidence: 'many-reports', calls: ['function'], models: CLAUDE_4_6 },
}

/** Passed on to the maker of the model, and checked there; all others as OpenAI does. */
const routedConstraints = upstreams.reduce(
  (table, [models, { serves }]) => routed(table, serves[0]!.constraints, models),
  base,
)

/** OpenRouter, which passes requests to many providers. */
export const openrouter = threeDialects('openrouter', [/(^|\.)openrouter\.ai$/], { chat: routedConstraints })
