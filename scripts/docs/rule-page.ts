/**
 * The generated parts of a rule's page: error texts, providers, findings and parameters. They go between `<!-- begin:
 * name -->` and `<!-- end -->`. Everything else on the page is written by hand and left alone.
 */
import { providers } from '../../src/index.ts'
import { rules } from '../../src/rules/index.ts'
import { anchorOf, code, evidenceText, type Rejections } from './rejections.ts'
import { ruleParameters } from './rule-parameters.ts'

const EVIDENCE = ['documented', 'many-reports', 'few-reports', 'single-report', 'inferred'] as const

export function withGeneratedParts(page: string, rule: string, data: Rejections, root: string): string {
  const parts: Readonly<Record<string, () => string>> = {
    errors: () => errorTexts(rule, data),
    providers: () => providerTable(rule),
    reference: () => reference(rule, root),
  }
  return page.replace(
    /(<!-- begin: (\w+) -->)\n[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => `${begin}\n${parts[name]!()}\n${end}`,
  )
}

/** Texts that several providers share are listed once. */
function errorTexts(rule: string, { sections }: Rejections): string {
  const byText = new Map<string, string[]>()
  for (const { id, title, rows } of sections)
    for (const row of rows.filter((one) => one.rule === rule))
      for (const text of row.texts)
        byText.set(text, [...(byText.get(text) ?? []), `[${title}](../rejections.md#${anchorOf(id, rule)})`])
  const quotes = [...byText].map(([text, from]) => `> - ${code(text)} (${from.join(', ')})`)
  return quotes.length > 0 ? quotes.join('\n') : '> No provider is known to have a text of its own for this.'
}

function providerTable(rule: string): string {
  const known = new Map<string, string[]>()
  for (const { id, serves } of providers)
    for (const { dialect, constraints } of serves) {
      const given = constraints[rule]
      for (const one of given ? [given].flat() : []) {
        const some = one.models || one.except ? ' (some models)' : ''
        const name = `${id}${serves.length > 1 && dialect.id !== serves[0]!.dialect.id ? ` as ${dialect.id}` : ''}${some}`
        const list = known.get(one.evidence) ?? []
        if (!list.includes(name)) known.set(one.evidence, [...list, name])
      }
    }
  const rows = EVIDENCE.filter((one) => known.has(one)).map(
    (one) =>
      `| ${evidenceText(one)} | ${one === 'single-report' || one === 'inferred' ? 'warning' : 'error'} | ${known.get(one)!.join(', ')} |`,
  )
  return rows.length > 0
    ? ['| evidence | severity | providers |', '| --- | --- | --- |', ...rows].join('\n')
    : 'No provider has this constraint by default. The rule acts after a rejection that fits.'
}

/** Placeholders that every finding has, as words; those that a rule fills itself stay. */
function readable(message: string): string {
  const text = message
    .replaceAll('{rejects}', 'the provider rejects')
    .replaceAll('{provider}', 'the provider')
    .replaceAll('{Repair}', 'Repair')
  return text.startsWith('the ') ? `T${text.slice(1)}` : text
}

function reference(id: string, root: string): string {
  const rule = rules.find((one) => one.id === id)!
  const findings = Object.entries(rule.messages).map(
    ([name, message]) => `| \`${name}\` | ${readable(message).replaceAll('|', '\\|')} |`,
  )
  const parameters = ruleParameters(id, root).map(
    ({ name, type, about }) => `| \`${name}\` | ${code(type)} | ${about.replaceAll('|', '\\|')} |`,
  )
  return [
    `Repair: \`${rule.repair}\`${rule.afterRejection ? ', made only after a rejection' : ''}. Phase: \`${rule.phase}\`.`,
    ['| finding | message |', '| --- | --- |', ...findings].join('\n'),
    parameters.length === 0
      ? 'Its constraint has no parameters.'
      : ['| parameter of its constraint | type | meaning |', '| --- | --- | --- |', ...parameters].join('\n'),
  ].join('\n\n')
}
