/**
 * A provider requires reasoning that the history does not have. It cannot be invented, so thinking is disabled for the
 * rest of this turn.
 */

import { isThinkingDisabled, withThinkingDisabled } from '../../dialects/request-fields.ts'
import type { RuleId } from '../../rules/index.ts'
import { rememberThinking } from './accepted-settings.ts'
import type { Attempt, Recovered, Recovery } from './types.ts'

export const disableThinking: Recovery = { id: 'disable-thinking', maxTimes: 1, try: disable }

const ASKS: readonly string[] = [
  'reasoning-content-missing',
  'thinking-block-missing-before-tool-use',
] satisfies RuleId[]

function disable(attempt: Attempt): Recovered | undefined {
  const { body, rejection } = attempt
  if (rejection.rule === undefined || !ASKS.includes(rejection.rule)) return undefined
  if (isThinkingDisabled(body)) return undefined
  const report = { rule: rejection.rule, setting: 'thinking disabled' }
  return { id: 'disable-thinking', body: withThinkingDisabled(body), report, accepted: rememberThinking(attempt) }
}
