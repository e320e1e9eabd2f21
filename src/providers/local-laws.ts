/**
 * Local servers: a chat template decides, so most depends on the model.
 */
import type { Laws } from '../core/index.ts'
import { byModel } from './by-model.ts'
import { F, M, S } from './evidence.ts'
import { templateLaws } from './mistral.ts'
import { MISTRAL_TEMPLATE } from './models.ts'
import { likeChat } from './openai-laws.ts'

const alternates = M({ merge: ['user', 'assistant'], lead: true, bridge: true, models: MISTRAL_TEMPLATE })

export const localLaws: Laws = {
  // What the dialect assumes, and what the template of Mistral's models is known to refuse.
  ...byModel(likeChat, templateLaws, MISTRAL_TEMPLATE),
  // Only where the template thinks, which the name of a model does not surely tell.
  'last-assistant-prefill': S({ models: /think|qwen-?3|gpt-oss|deepseek-r1|glm-4\.[5-9]/i }),
  'role-order': alternates,
  'first-not-user': M({ models: MISTRAL_TEMPLATE }),
}

/** llama.cpp and Ollama: no two assistant turns, whatever the template. */
export const llamaLaws: Laws = {
  ...localLaws,
  'role-order': [F({ merge: ['assistant'], except: MISTRAL_TEMPLATE }), alternates],
}
