import { chat } from './chat.ts'
import { D, I, M, S } from './evidence.ts'

export const mistral = chat('mistral', [/(^|\.)mistral\.ai$/], {
  'tool-result-missing': M(),
  'tool-call-id-empty': [I(), M({ half: true })],
  'tool-result-not-adjacent': M(),
  'tool-result-orphan': M(),
  'tool-result-duplicate': M(),
  'tool-result-count-mismatch': D(),
  'tool-call-id-format': D({ pattern: /^[a-zA-Z0-9]{9}$/ }),
  // Seen accepted.
  'tool-calls-empty-array': null,
  // Refused in older reports, recorded as accepted since.
  'role-order': S({ bridge: true }),
  'last-assistant-prefill': D(),
  'reasoning-content-forbidden': D({ keys: ['reasoning_content'] }),
  'unknown-field': D({ fields: { function: ['name'] } }),
  'image-too-many': S({ max: 8 }),
})
