/**
 * How providers word the rejection of each rule, and what its repair does. Empty in the source: the build fills it from docs/rules, so that
 * the words are kept in one place.
 */
export interface RuleWords {
  readonly words: readonly { readonly by: string; readonly of: string; readonly text: string }[]
  readonly repair?: string
}

export const ruleWords: Readonly<Record<string, RuleWords | undefined>> = {}
