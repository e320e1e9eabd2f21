/**
 * Local servers: a chat template decides, so most depends on the model.
 */
import type { Laws } from '../core/index.ts'
import { byModel } from './by-model.ts'
import { D, F, M, S } from './evidence.ts'
import { templateLaws } from './mistral.ts'
import { MISTRAL_TEMPLATE } from './models.ts'
import { likeChat, shapeLaws } from './openai-laws.ts'

const alternates = M({ lead: true, counted: true, models: MISTRAL_TEMPLATE })

/** Only where the template thinks, which the name of a model does not surely tell. */
const thinks = S({ models: /think|qwen-?3|gpt-oss|deepseek-r1|glm-4\.[5-9]/i })

/** ... but where the request itself switches thinking on, it does. */
const asked = M({ asked: ['chat_template_kwargs', 'enable_thinking'] })

/** What the template of Mistral's models is known to refuse, whoever runs it. */
const localLaws: Laws = {
  ...byModel(likeChat, { 'role-unknown': templateLaws['role-unknown']! }, MISTRAL_TEMPLATE),
  'last-assistant-prefill': [thinks, asked],
  'role-order': alternates,
}

/** llama.cpp and Ollama: no two assistant turns at the end, whatever the template. */
export const llamaLaws: Laws = {
  ...localLaws,
  'role-order': [F({ tail: true }), alternates],
}

/** vLLM reads Mistral's models as Mistral does, pairing and ids included. */
export const vllmLaws: Laws = {
  ...localLaws,
  ...byModel(likeChat, { ...templateLaws, 'content-shape': shapeLaws(M, ['keys']) }, MISTRAL_TEMPLATE),
  'last-assistant-prefill': [thinks, asked, D({ unless: 'prefix', models: MISTRAL_TEMPLATE })],
}
