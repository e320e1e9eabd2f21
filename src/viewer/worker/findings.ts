/** Findings as the page shows them: at a row, with the provider's words and the repair. */
import { type Finding, pointer } from '../../core/index.ts'
import { explanations, rules } from '../../rules/index.ts'
import type { FileFinding } from '../../session-files/types.ts'
import type { FindingView, ProviderWords, RuleView } from './protocol.ts'
import { messageAt, storedAt, type View } from './view.ts'

let ruleWords: Readonly<Record<string, readonly ProviderWords[] | undefined>> = {}

/** The words are a separate part of the script: a valid history does not need them. */
export async function loadRuleWords(): Promise<void> {
  ruleWords = (await import('./rule-words.ts')).ruleWords
}

export function findingsOf(view: View): readonly FindingView[] {
  const { findings, fileFindings } = view
  const all = [...findings.map((one) => ofProvider(view, one)), ...fileFindings.map((one) => inFile(view, one))]
  return all.map((finding, index) => ({ ...finding, index }))
}

function inFile(view: View, found: FileFinding): Omit<FindingView, 'index'> {
  const { kind, rule, severity, message, line, repair = 'none' as const, finding } = found
  const own = { severity, message, repair, line }
  if (finding) return { ...ofProvider(view, finding), ...own }
  const [place, row] = line === undefined ? ['the file', -1] : [`line ${line}`, rowOfLine(view, line)]
  return { kind, rule, place, row, words: [], ...own }
}

function ofProvider(view: View, { rule, severity, message, at, round, fix }: Finding): Omit<FindingView, 'index'> {
  return {
    kind: 'provider',
    rule,
    severity,
    message,
    place: pointer(at) || 'the request',
    round,
    row: view.rowOfOriginal[messageAt(at)] ?? -1,
    repair: fix ? (rules.find(({ id }) => id === rule)?.repair ?? 'none') : 'none',
    ...explained(rule, view.provider),
  }
}

/** The words of the chosen provider come first. */
export function explained(rule: string, provider = ''): RuleView {
  const words = [...(ruleWords[rule] ?? [])].sort((a, b) => closeness(b.of, provider) - closeness(a.of, provider))
  return { summary: explanations[rule]?.summary, fix: explanations[rule]?.repair, words }
}

/** How well words of one provider fit another: 2 for its own, 1 for the same family. */
function closeness(of: string, provider: string): number {
  if (of === provider) return 2
  return provider !== '' && of.split('-')[0] === provider.split('-')[0] ? 1 : 0
}

function rowOfLine(view: View, line: number): number {
  return view.lines.findIndex((_, row) => {
    const lines = storedAt(view, row)?.lines
    return lines !== undefined && lines[0] <= line && line <= lines[1]
  })
}
