/** Renders docs/rejections.md from its data. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rules } from '../../src/rules/index.ts'
import { anchorOf, code, evidenceText, type Rejection, type Rejections, type Section } from './rejections.ts'

const INTRO = `# What providers reject

A provider that rejects a request says so in words of its own. This page lists the texts for message histories: by provider, with the rule of Suture that finds the fault, when it happens, and how well it is known.
Search it for the words of your error. \`npx suture explain "<error text>"\` does the same from a terminal.

Nothing here was tested against a live API by us: the texts come from vendor documentation, public issues, pull requests and source code. In the texts \`{i}\`, \`{id}\` and \`{n}\` are variable parts; \`…\` is a part that reports leave out or that differs between them. Relays often lose backticks. The status is 400 if none is given.

| evidence | meaning | lint reports |
| --- | --- | --- |
| documented | the vendor's documentation or SDK says it | an error |
| many reports | many independent reports | an error |
| few reports | two or three reports, or a recorded response | an error |
| single report | one report, or sources that disagree | a warning |
| inferred | no error text was seen | a warning |

This page is generated from [docs/data/rejections.json](data/rejections.json) by \`npm run docs\`. To add a text, edit that file.
`

export function rejectionsPage(data: Rejections, root: string): string {
  const contents = data.sections.map(({ id, title }) => `- [${title}](#${id})`)
  return [
    INTRO,
    [
      ...contents,
      '- [Too long or too large](#size)',
      '- [Accepted](#accepted)',
      '- [Disputed](#disputed)',
      '- [Not seen](#not-seen)',
      '- [By rule](#by-rule)',
    ].join('\n'),
    ...data.sections.map((section) => sectionText(section, root)),
    sizeText(data),
    notesText(
      'accepted',
      'Accepted',
      'Recorded or measured as accepted, so not an error there, whatever other providers do.',
      data.accepted,
    ),
    notesText(
      'disputed',
      'Disputed',
      'Sources disagree. Lint reports a warning at most, unless the table of the provider is clear.',
      data.disputed,
    ),
    notesText('not-seen', 'Not seen', 'Texts that are missing here. Reports are welcome.', data.notSeen),
    byRuleText(data),
  ]
    .join('\n\n')
    .concat('\n')
}

function sectionText({ id, title, about, rows }: Section, root: string): string {
  return [
    `<a id="${id}"></a>\n\n## ${title}`,
    about,
    [
      '| rule | error text | when it happens | evidence |',
      '| --- | --- | --- | --- |',
      ...rows.map((row) => rowText(id, row, root)),
    ].join('\n'),
  ].join('\n\n')
}

function rowText(section: string, row: Rejection, root: string): string {
  const { rule, texts, status, when, evidence, links, note } = row
  const hasPage = existsSync(join(root, `docs/rules/${rule}.md`))
  const name = hasPage ? `[${rule}](rules/${rule}.md)` : rule
  const shown = texts.length === 0 ? 'not seen' : texts.map(code).join('<br>')
  return `| <a id="${anchorOf(section, rule)}"></a>${name} | ${status ? `${status}: ` : ''}${shown} | ${when}${note ? ` ${note}` : ''} | ${[evidenceText(evidence), ...links.map(linkText)].join(', ')} |`
}

/** `owner/repo#N`, `owner/repo:path` or an address, as a link. */
function linkText(link: string): string {
  if (link.startsWith('https://')) return `[docs](${link})`
  const [, repo, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(link) ?? []
  if (repo) return `[${link}](https://github.com/${repo}/issues/${number})`
  const [owner, path] = link.split(':')
  return `[${path}](https://github.com/${owner}/blob/HEAD/${path})`
}

function sizeText({ size }: Rejections): string {
  const rows = size.map(
    ({ provider, text, status, links }) =>
      `| ${provider} | ${text === 'no body' ? 'no body' : code(text)} | ${status} | ${links.map(linkText).join(', ')} |`,
  )
  return [
    '<a id="size"></a>\n\n## Too long or too large',
    'Not a fault of the history: it is valid, and over a limit. The guard shortens it ([recoveries](guide/rejections.md)), and [compaction](guide/compaction.md) keeps it below the limit. `Too many tokens, please wait before trying again.` (Bedrock) and other rate limits are not about size.',
    ['| provider | error text | status | evidence |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}

/** One anchor per rule, for `explain`: `#rule-tool-result-missing`. */
function byRuleText({ sections }: Rejections): string {
  const rows = rules.map(({ id }) => {
    const links = sections
      .filter((section) => section.rows.some(({ rule }) => rule === id))
      .map((section) => `[${section.title}](#${anchorOf(section.id, id)})`)
    return `| <a id="rule-${id}"></a>[${id}](rules/${id}.md) | ${links.join(', ')} |`
  })
  return ['<a id="by-rule"></a>\n\n## By rule', ['| rule | rejected by |', '| --- | --- |', ...rows].join('\n')].join(
    '\n\n',
  )
}

function notesText(
  id: string,
  title: string,
  about: string,
  notes: readonly { readonly id: string; readonly text: string }[],
): string {
  const list = notes.map((note) => `- <a id="${id}-${note.id}"></a>${note.text}`)
  return [`<a id="${id}"></a>\n\n## ${title}`, about, list.join('\n')].join('\n\n')
}
