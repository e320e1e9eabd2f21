/** Local servers: a chat template decides, so most depends on the model. */
import type { ConstraintFor, Constraints } from '../rules/index.ts'
import { byModel } from './by-model.ts'
import { templateConstraints } from './mistral.ts'
import { MISTRAL_TEMPLATE } from './models.ts'
import { likeChat } from './openai-constraints.ts'

const alternates: ConstraintFor<'role-order'> = {
  evidence: 'many-reports',
  lead: true,
  counted: true,
  models: MISTRAL_TEMPLATE,
}

/** Only where the template thinks, which the name of a model does not surely tell. */
const thinks: ConstraintFor<'last-assistant-prefill'> = {
  evidence: 'single-report',
  models: /think|qwen-?3|gpt-oss|deepseek-r1|glm-4\.[5-9]/i,
}

/** ... but if the request itself switches thinking on, it does. */
const enabled: ConstraintFor<'last-assistant-prefill'> = {
  evidence: 'many-reports',
  setting: ['chat_template_kwargs', 'enable_thinking'],
}

/** What the template of Mistral's models is known to reject, wherever it runs. */
const localConstraints: Constraints = {
  ...byModel(likeChat, { 'role-unknown': templateConstraints['role-unknown'] }, MISTRAL_TEMPLATE),
  'last-assistant-prefill': [thinks, enabled],
  'role-order': alternates,
}

/** llama.cpp and Ollama: no two assistant turns at the end, whatever the template. */
export const llamaConstraints: Constraints = {
  ...localConstraints,
  'role-order': [{ evidence: 'few-reports', tail: true }, alternates],
}

/** vLLM reads Mistral's models as Mistral does, pairing and ids included. */
export const vllmConstraints: Constraints = {
  ...localConstraints,
  ...byModel(likeChat, templateConstraints, MISTRAL_TEMPLATE),
  'last-assistant-prefill': [thinks, enabled, { evidence: 'documented', unless: 'prefix', models: MISTRAL_TEMPLATE }],
}
