/**
 * A provider asks for reasoning that the history does not have: it cannot be made up, so the rest of this turn goes without thinking.
 */
import { own } from '../../core/index.ts'
import { rememberingThinking, withoutThinking } from './settings.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const disableThinking: Recovery = { id: 'disable-thinking', most: 1, try: disable }

const ASKS = ['reasoning-content-missing', 'thinking-block-missing-before-tool-use']

function disable(attempt: Attempt): Recovered | undefined {
  const { body, refusal } = attempt
  if (refusal.rule === undefined || !ASKS.includes(refusal.rule)) return undefined
  if (own(body['thinking'], 'type') === 'disabled') return undefined
  const report = { rule: refusal.rule, setting: 'thinking disabled' }
  return { id: 'disable-thinking', body: withoutThinking(body), report, accepted: rememberingThinking(attempt) }
}
