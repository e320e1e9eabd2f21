/**
 * A provider asks for reasoning that the history does not have: it cannot be made up, so this one request goes without thinking.
 */
import { own, withKey } from '../../core/index.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const disableThinking: Recovery = { id: 'disable-thinking', most: 1, try: disable }

const ASKS = ['reasoning-content-missing', 'thinking-block-missing-before-tool-use']

function disable({ body, refusal }: Attempt): Recovered | undefined {
  if (refusal.rule === undefined || !ASKS.includes(refusal.rule)) return undefined
  if (own(body['thinking'], 'type') === 'disabled') return undefined
  const report = { rule: refusal.rule, setting: 'thinking disabled' }
  return { id: 'disable-thinking', body: withKey(body, 'thinking', { type: 'disabled' }), report }
}
