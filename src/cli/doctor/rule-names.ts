/** The names that `--only` and `explain` take. A mistyped one must not read as "nothing is wrong". */
import { unknownName } from '../../core/options.ts'
import { explanations, rules } from '../../rules/index.ts'
import { fileRules } from '../../session-files/file-rules.ts'
import { CommandError } from '../command.ts'

const KINDS = ['provider', 'load', 'chain', 'salvage']

export interface RuleText {
  readonly rule: string
  readonly summary: string
  /** Of rules for providers. */
  readonly why?: string
  readonly repair?: 'safe' | 'lossy' | 'none'
  /** Below `docs`. */
  readonly page: string
}

/** Rules for providers, then rules for session files. */
export function ruleTexts(): readonly RuleText[] {
  return [
    ...rules.map(({ id, repair }) => {
      const { summary, why } = explanations[id]!
      return { rule: id, summary, why, repair, page: `rules/${id}.md` }
    }),
    ...Object.entries(fileRules).map(([rule, summary]) => ({ rule, summary, page: 'session-files.md' })),
  ]
}

export function ruleNames(): readonly string[] {
  return ruleTexts().map(({ rule }) => rule)
}

export function checkRuleNames(names: readonly string[]): void {
  const known = [...KINDS, ...ruleNames()]
  const odd = names.find((one) => !known.includes(one))
  if (odd === undefined) return
  const { message } = unknownName('rule', odd, known)
  throw new CommandError(
    `--only: ${message.split(' Known:')[0]} \`suture explain --list\` has all rules; the kinds are ${KINDS.join(', ')}.`,
  )
}
