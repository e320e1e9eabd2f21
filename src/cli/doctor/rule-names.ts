/**
 * The names that `--only` and `explain` take. A mistyped one must not read as "nothing is wrong".
 */
import { unknownName } from '../../core/options.ts'
import { patterns } from '../../guard/rejections/rule-patterns.ts'
import { fileRules } from '../../session-files/file-rules.ts'
import { CommandError, EXIT } from '../command.ts'

const KINDS = ['provider', 'load', 'chain', 'salvage']

export function ruleNames(): readonly string[] {
  return [...patterns.map((one) => one.rule), ...Object.keys(fileRules)]
}

export function checkRuleNames(names: readonly string[]): void {
  const known = [...KINDS, ...ruleNames()]
  const odd = names.find((one) => !known.includes(one))
  if (odd === undefined) return
  const { message } = unknownName('rule', odd, known)
  throw new CommandError(
    EXIT.usage,
    `--only: ${message.split(' Known:')[0]} \`suture explain --list\` has all rules; the kinds are ${KINDS.join(', ')}.`,
  )
}
