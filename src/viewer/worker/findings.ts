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

/** The findings of what is shown: with a preview, of the repaired history. */
export function findingsOf(view: View): readonly FindingView[] {
  const { findings, fileFindings } = isRepaired(view) ? view.after : view
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
    row: (isRepaired(view) ? view.rowOfSent : view.rowOfOriginal)[messageAt(at)] ?? -1,
    repair: fix ? (rules.find(({ id }) => id === rule)?.repair ?? 'none') : 'none',
    ...explained(rule, view.provider, view.conversation.dialect.id),
  }
}

/** With a provider, only texts that it sends: another provider's text would be taken for its own. */
export function explained(rule: string, provider = 'strictest', dialect = ''): RuleView {
  const sections = sectionsOf(provider, dialect)
  const words = (ruleWords[rule] ?? []).filter(({ of }) => provider === 'strictest' || sections.includes(of))
  const sorted = words.toSorted((a, b) => sections.indexOf(a.of) - sections.indexOf(b.of))
  return { summary: explanations[rule]?.summary, fix: explanations[rule]?.repair, words: sorted }
}

const LOCAL = new Set(['vllm', 'ollama', 'llamacpp'])
/** Providers that serve models of others, whose API answers. */
const HOSTS = new Set(['azure', 'bedrock', 'copilot', 'vertex'])
const MAKERS: Readonly<Record<string, string>> = {
  'anthropic-messages': 'anthropic',
  gemini: 'gemini',
  'openai-chat': 'openai',
  'openai-responses': 'openai-responses',
}

/** The sections of docs/data/rejections.json with texts of a provider, its own first. */
function sectionsOf(provider: string, dialect: string): readonly string[] {
  if (LOCAL.has(provider)) return ['local']
  const maker = MAKERS[dialect]
  if (HOSTS.has(provider)) return maker === undefined ? [provider] : [provider, maker]
  return dialect === 'openai-responses' ? [`${provider}-responses`, provider] : [provider, `${provider}-responses`]
}

function isRepaired({ sent, original }: View): boolean {
  return sent !== original
}

/** In the file as it is shown; after a repair lines have other numbers. */
function rowOfLine(view: View, line: number): number {
  if (isRepaired(view)) return -1
  return view.lines.findIndex((_, row) => {
    const lines = storedAt(view, row)?.lines
    return lines !== undefined && lines[0] <= line && line <= lines[1]
  })
}
