import { chat } from './chat.ts'
import { F, I, jsonText } from './evidence.ts'
import { llamaLaws } from './local-laws.ts'

export const llamacpp = chat('llamacpp', [], {
  ...llamaLaws,
  'tool-arguments-not-json': jsonText(F),
  // What parses but is no object was not heard of.
  'tool-arguments-not-object': I({ as: 'string' }),
})
