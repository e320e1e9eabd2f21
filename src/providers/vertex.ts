import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { gemini } from '../dialects/gemini/index.ts'
import type { Constraints } from '../rules/index.ts'
import { messagesConstraints } from './claude.ts'
import { geminiConstraints } from './google-constraints.ts'

const vertexGemini: Constraints = {
  ...geminiConstraints,
  'tool-result-count-mismatch': [
    { evidence: 'many-reports', pairing: { by: 'turn', rejects: ['missing', 'orphan'] } },
    { evidence: 'many-reports', split: true },
  ],
  'content-empty': { evidence: 'many-reports', thought: true },
  'text-blank': { evidence: 'many-reports', empty: true },
}

/** Google's Vertex AI: Gemini and Claude. */
export const vertex: Provider<'vertex'> = {
  id: 'vertex',
  hosts: [/aiplatform\.googleapis\.com$/],
  serves: [
    { dialect: gemini, constraints: vertexGemini },
    { dialect: anthropicMessages, constraints: messagesConstraints },
  ],
}
