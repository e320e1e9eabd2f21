import type { Provider } from '../core/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { messagesConstraints } from './claude.ts'

/** Anthropic's API. */
export const anthropic: Provider<'anthropic'> = {
  id: 'anthropic',
  hosts: [/(^|\.)anthropic\.com$/],
  serves: [{ dialect: anthropicMessages, constraints: messagesConstraints }],
}
