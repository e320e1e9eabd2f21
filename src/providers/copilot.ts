import { CLAUDE_4_6 } from './models.ts'
import { threeDialects } from './three-dialects.ts'

/** GitHub Copilot, in three dialects. */
export const copilot = threeDialects('copilot', [/(^|\.)githubcopilot\.com$/], {
  chat: {
    'last-assistant-prefill': { evidence: 'many-reports', calls: ['function'], models: CLAUDE_4_6 },
  },
  // Item ids are bound to a connection of Copilot's own backend, which the next request may not get.
  responses: { 'item-id-other-connection': { evidence: 'many-reports' } },
})
