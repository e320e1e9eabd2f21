import { chat } from './chat.ts'
import { F } from './evidence.ts'
import { localLaws } from './local-laws.ts'

export const vllm = chat('vllm', [], {
  ...localLaws,
  'tool-arguments-not-json': F(),
  'tool-arguments-not-object': F({ as: 'string' }),
})
