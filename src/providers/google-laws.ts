/**
 * Laws of Gemini's generateContent, on AI Studio and on Vertex.
 */
import type { Laws } from '../core/index.ts'
import { D, F, I, M, S } from './evidence.ts'
import { GEMINI_3, GEMINI_3_6 } from './models.ts'

export const geminiLaws: Laws = {
  // Counted, turn by turn: what a response says it answers was not heard to matter, nor what stands beside it.
  'tool-result-missing': [M({ of: ['missing', 'shared', 'unread'], seen: 'turn' }), S({ of: ['counted', 'twin'] })],
  'tool-result-not-adjacent': [M({ of: ['misplaced'] }), S({ of: ['within'] })],
  'tool-result-orphan': [M({ of: ['orphan', 'early', 'again', 'shared'] }), S({ of: ['counted', 'twin'] })],
  'tool-result-duplicate': [M({ of: ['duplicate', 'shared'] }), S({ of: ['counted', 'twin'] })],
  // Counted, but three responses in three contents were seen accepted on the Gemini API.
  'tool-result-count-mismatch': [M(), S({ split: true })],
  // A text or a list is refused; no response at all was not heard of.
  'tool-result-not-object': [D({ of: ['object'] }), I({ of: ['none'] })],
  'tool-declaration-name-invalid': M({ pattern: /^[a-zA-Z_][a-zA-Z0-9_.-]*$/, max: 64 }),
  'tool-result-multimodal-unsupported': S({ models: /gemini-(?:1|2)/i, media: [] }),
  'tool-result-mixed-with-other-parts': S({ own: true, models: GEMINI_3_6 }),
  'tool-call-turn-order': M(),
  'first-not-user': F(),
  'last-assistant-prefill': M(),
  'role-unknown': M({ roles: ['user', 'model', 'function'], lift: 'gemini' }),
  // An empty text is a text there.
  'content-empty': M({ text: 'accepted', thought: true }),
  'content-missing': M(),
  'content-null': M(),
  'content-shape': M({
    list: true,
    objects: ['functionCall', 'function_call', 'functionResponse', 'function_response'],
  }),
  'messages-empty': F(),
  'thought-signature-invalid': M({ models: GEMINI_3, letters: /^[A-Za-z0-9+/_=-]*$/ }),
  'thought-signature-missing': D({ models: GEMINI_3 }),
  'thought-signature-position': D({ models: GEMINI_3 }),
  // Parts of other shapes say their type, and some their role.
  'unknown-field': [
    M({ fields: { '*': ['type', 'role'] } }),
    // What another dialect says there: rejected in the same words, but it holds what was said and done.
    M({ leave: true, messages: { '*': ['content', 'tool_calls', 'tool_call_id'] } }),
  ],
  'lone-surrogate': I({ glance: 'parts' }),
}
