import { chat } from './chat.ts'

/** Perplexity. */
export const perplexity = chat('perplexity', [/(^|\.)perplexity\.ai$/], {
  'role-order': { evidence: 'few-reports', merge: ['user', 'assistant'] },
})
