/** Error texts of providers for each rule. Empty in the source: the build fills it from docs/data/rejections.json. */
import type { ProviderWords } from './protocol.ts'

export const ruleWords: Readonly<Record<string, readonly ProviderWords[] | undefined>> = {}
