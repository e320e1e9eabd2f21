/** The generated part of docs/benchmarks.md, its pictures, and the short table of README.md. Text in, text out. */
import { type Figure, isMet } from './figures.ts'
import * as peers from './peer-tables.ts'
import { type PlotRow, plot } from './plot.ts'

export interface CostResults {
  readonly machine: string
  readonly system: string
  readonly node: string
  /** Processes that were running or waiting when it began. */
  readonly load: number
  readonly missing: readonly string[]
  readonly figures: readonly Figure[]
}

export interface Page {
  readonly benchmarks: string
  readonly readme: string
  readonly images: Readonly<Record<string, string>>
}

export function rendered(results: peers.PeerResults, cost: CostResults | undefined): Page {
  const { rows } = results.repair
  const bars = rows.map((row): PlotRow => {
    const { kept, of } = peers.acceptedOf(row)
    const label = `${row.name} ${row.version}`.trim()
    return { label, value: (100 * kept) / of, text: peers.percent({ kept, of }), isOurs: row.name === 'suture' }
  })
  const images: Record<string, string> = {
    'benchmark-accepted.svg': plot('Repaired requests that the provider accepts', bars, 100),
  }
  if (cost) images['benchmark-cost.svg'] = costPlot(cost)
  return {
    benchmarks: [peerSection(results), ...(cost ? [costSection(cost)] : [])].join('\n\n'),
    readme: readmeTable(results),
    images,
  }
}

function readmeTable(results: peers.PeerResults): string {
  const { broken, from } = results.repair
  const source = from === 'corpus' ? 'real conversations' : 'conversations made by seed'
  return `${peers.shortTable(results)}

${broken.toLocaleString('en')} broken histories of ${source}, judged by emulators of seven providers. \`npm run bench:peers\` repeats it; [all columns, versions and how each was called](docs/benchmarks.md).`
}

function peerSection(results: peers.PeerResults): string {
  const { repair, files, compaction, node } = results
  const source = repair.from === 'corpus' ? 'recorded conversations' : 'conversations made by seed'
  return `## Compared with others: repair

![Repaired requests that the provider accepts](images/benchmark-accepted.svg)

\`npm run bench:peers\` runs Suture and its peers on ${repair.broken.toLocaleString('en')} broken histories: 12 that are known from earlier comparisons, the others ${source} that were corrupted by seed in ${'every way of `suture/testing`'} and four more. Each result is judged by the emulators in \`contract/\`, which share no code with the library. Peers have a folder and a lock file of their own and run on Node ${node.slice(1)}.

- A peer gets histories that its types can hold: ${repair.plain.toLocaleString('en')} of them, fewer for \`convertToModelMessages\`. The others (mixed key names, broken JSON, messages of another provider) only Suture is given.
- Peers get help: neighbors of one role are merged and empty texts left out when their output is written for a provider, as most frameworks do.
- Some peers are made to shorten or to check, not to repair. They are in the table because they are used where a repair is needed.
- Gemini is asked as 2.5: the histories have no signatures, which Gemini 3 wants.

Requests accepted, by provider:

${peers.acceptedTable(repair)}

What became of the content. "Valid unchanged" is over ${repair.valid} valid histories, "pending call left alone" over ${repair.pending} histories that end with calls which may still be answered (Suture: \`inProgress: true\`).

${peers.contentTable(repair)}

Where a peer's result and ours are both accepted and complete, bytes that each added. Where Suture adds more, its sentence for a missing result is longer: it says that the outcome is unknown, and why. Or it keeps a note of an orphaned placeholder which the peer drops.

${peers.sharedTable(repair)}

The histories of the earlier comparison, over all providers of the table:

${peers.fourteenTable(repair)}

How each was called:

${peers.usageList(repair)}

## Compared with others: session files

${files.valid} valid Claude Code files and ${files.damaged} damaged ones (${files.kinds} kinds of damage). Fixers marked "rule" are not on npm: their rule was written anew from what they do. "Messages in the next request" are counted by Suture's reader, over the lines that are JSON.

${peers.filesTable(results)}

## Compared with others: compaction

${compaction.valid} valid and ${compaction.broken} broken histories, ${compaction.budgets} budgets each, from 10 % to 90 % of the history; accepted by Anthropic and OpenAI. A giant turn is one prompt with twenty rounds: the prompt has to stay, the result has to be valid and within the budget. "Prefix kept" is how much of the shortened request the next one begins with. The budget is missed where the last round and the note alone are larger; Suture then reports \`fits: false\`.

${peers.compactionRows(results)}`
}

function costSection({ machine, system, node, load, missing, figures }: CostResults): string {
  const groups = [...new Set(figures.map(({ group }) => group))]
  const missed = figures.filter((figure) => isMet(figure) === false).length
  const barred = figures.filter(({ bar }) => bar !== undefined).length
  const tables = groups.map((group) => {
    const own = figures.filter((figure) => figure.group === group)
    return `### Cost: ${group}\n\n${peers.table(['', 'measured', 'bar', ''], own.map(costCells))}`
  })
  const gaps = missing.length > 0 ? `\n\nNot measured: ${missing.join('; ')}.` : ''
  return `## Cost

\`npm run bench:report\` on ${machine} (${system}), Node ${node.slice(1)}: short runs of all benches in one go, load average ${load} at the start. ${barred - missed} of ${barred} bars are met.${gaps}

![Cost against its bar](images/benchmark-cost.svg)

${tables.join('\n\n')}`
}

function costCells(figure: Figure): string[] {
  const { name, value, unit = '', bar, better } = figure
  const met = isMet(figure)
  const limit = bar === undefined ? '' : `${better === 'higher' ? '≥' : '≤'} ${bar}`
  return [
    name.replaceAll('|', '/'),
    `${value} ${unit}`.trim(),
    limit,
    met === undefined ? '' : met ? 'met' : '**missed**',
  ]
}

/** Of each group, the figure that is worst against its bar. */
function costPlot({ figures }: CostResults): string {
  const share = ({ value, bar, better }: Figure) => (better === 'higher' ? bar! / value : value / bar!)
  const barred = figures.filter(({ bar }) => bar !== undefined)
  const worst = [...new Set(barred.map(({ group }) => group))].map(
    (group) => barred.filter((figure) => figure.group === group).sort((a, b) => share(b) - share(a))[0]!,
  )
  const rows = worst.map((figure): PlotRow => {
    const value = share(figure)
    return { label: `${figure.group}, worst figure`, value, text: `${value.toFixed(2)} of its bar`, isOurs: value <= 1 }
  })
  return plot(
    'Worst figure of each part against its bar (1: just met)',
    rows,
    Math.max(1, ...rows.map(({ value }) => value)),
  )
}

const START = '<!-- generated by npm run docs:benchmarks -->'
const END = '<!-- end of generated part -->'

/** Puts the text between the two marks of a page. */
export function placed(page: string, text: string, file: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`${file} needs the lines "${START}" and "${END}".`)
  return `${page.slice(0, start)}${START}\n\n${text}\n\n${page.slice(end)}`
}
