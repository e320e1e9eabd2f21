/**
 * How providers word the rejection of each rule. Empty in the source: the build fills it from docs/rules, so that the words are kept in one place.
 */
export const ruleWords: Readonly<Record<string, readonly { readonly by: string; readonly text: string }[]>> = {}
