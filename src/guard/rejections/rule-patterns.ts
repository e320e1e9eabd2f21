/** The patterns of the rules for rejection texts. */
import { explanations, type RuleId, rules } from '../../rules/index.ts'

export interface Pattern {
  readonly rule: RuleId
  readonly summary: string
  readonly why: string
  /** How safe its repair is; `none`: no edit of the history helps. */
  readonly repair: 'safe' | 'lossy' | 'none'
  readonly rejections: readonly RegExp[]
}

/** Every rule with the patterns of its rejection texts. */
export const patterns: readonly Pattern[] = rules.map(({ id, repair }) => ({ ...explanations[id]!, rule: id, repair }))
