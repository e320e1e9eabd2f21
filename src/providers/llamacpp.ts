import { chat } from './chat.ts'
import { F, I } from './evidence.ts'
import { llamaLaws } from './local-laws.ts'

export const llamacpp = chat('llamacpp', [], {
  ...llamaLaws,
  'tool-arguments-not-json': F(),
  // What parses but is no object was not heard of.
  'tool-arguments-not-object': I({ as: 'string' }),
})
