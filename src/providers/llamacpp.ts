import { chat } from './chat.ts'
import { llamaConstraints } from './local-constraints.ts'

/** The server of llama.cpp. */
export const llamacpp = chat('llamacpp', [], {
  ...llamaConstraints,
  'tool-arguments-not-json': { evidence: 'few-reports' },
  // What parses but is not an object was not seen rejected.
  'tool-arguments-not-object': { evidence: 'inferred', as: 'string' },
})
