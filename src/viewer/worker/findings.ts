/**
 * Findings as the page shows them: at a row, with the provider's words and what repairs them.
 */
import { type Finding, pointer } from '../../core/index.ts'
import { explanations, rules } from '../../rules/index.ts'
import type { FileFinding } from '../../session-files/types.ts'
import { defined } from './cells.ts'
import type { FindingView, ProviderWords } from './protocol.ts'
import { messageAt, storedAt, type View } from './view.ts'

let ruleWords: Readonly<Record<string, readonly ProviderWords[] | undefined>> = {}

/** The words are a part of the script of their own: a valid history needs none. */
export async function loadRuleWords(): Promise<void> {
  ruleWords = (await import('./rule-words.ts')).ruleWords
}

export function findingsOf(view: View): readonly FindingView[] {
  const { findings, ofFile: own } = view
  if (!own) return findings.map((finding, index) => ({ ...ofProvider(view, finding), index }))
  return own.map((one, index) => ({
    ...(one.finding ? ofProvider(view, one.finding) : ofFile(view, one)),
    ...common(one),
    index,
  }))
}

function common({
  severity,
  message,
  repair,
  line,
}: FileFinding): Pick<FindingView, 'severity' | 'message' | 'repair' | 'line'> {
  return { severity, message, repair: repair ?? 'none', ...defined('line', line) }
}

function ofFile(view: View, { kind, rule, severity, line, message }: FileFinding): Omit<FindingView, 'index'> {
  const place = line === undefined ? 'the file' : `line ${line}`
  return {
    kind,
    rule,
    severity,
    message,
    place,
    row: line === undefined ? -1 : rowOfLine(view, line),
    repair: 'none',
    words: [],
  }
}

function ofProvider(view: View, finding: Finding): Omit<FindingView, 'index'> {
  const { rule, severity, message, at, round } = finding
  const place = messageAt(at)
  return {
    kind: 'provider',
    rule,
    severity,
    message,
    place: pointer(at) || 'the request',
    ...defined('round', round),
    row: place < 0 ? -1 : (view.rowOfAsked[place] ?? -1),
    repair: finding.fix ? (rules.find(({ id }) => id === rule)?.repair ?? 'none') : 'none',
    ...explained(rule, view.provider),
  }
}

/** The words of the provider that is chosen come first. */
export function explained(rule: string, provider = ''): Pick<FindingView, 'says' | 'why' | 'words' | 'repairs'> {
  const found = explanations[rule]
  const words = [...(ruleWords[rule] ?? [])].sort((a, b) => closeness(b.of, provider) - closeness(a.of, provider))
  return { ...(found && { says: found.summary, why: found.why, ...defined('repairs', found.repair) }), words }
}

/** How well words of one provider fit another: its own, those of the same family, any. */
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
