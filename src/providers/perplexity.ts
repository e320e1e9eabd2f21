import { chat } from './chat.ts'
import { F } from './evidence.ts'

export const perplexity = chat('perplexity', [/(^|\.)perplexity\.ai$/], {
  'role-order': F({ merge: ['user', 'assistant'] }),
})
