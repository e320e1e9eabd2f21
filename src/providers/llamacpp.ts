import { chat } from './chat.ts'
import { F } from './evidence.ts'
import { llamaLaws } from './local-laws.ts'

export const llamacpp = chat('llamacpp', [], {
  ...llamaLaws,
  'tool-arguments-not-json': F(),
  'tool-arguments-not-object': F({ as: 'string' }),
})
