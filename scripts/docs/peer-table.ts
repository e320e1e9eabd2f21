/** The peer table of the README, from bench/results/peers.json (`npm run bench:peers`). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Share {
  readonly kept: number
  readonly of: number
}

interface PeerRow {
  readonly name: string
  readonly version: string
  readonly accepted: Readonly<Record<string, Share>>
  readonly outputs: Share
  readonly texts: Share
  readonly validUnchanged: Share
  readonly pendingLeft: Share
  readonly undone?: Share
}

interface Results {
  readonly repair: { readonly broken: number; readonly rows: readonly PeerRow[] }
}

export function withPeerTable(readme: string, root: string): string {
  const { repair } = JSON.parse(readFileSync(join(root, 'bench/results/peers.json'), 'utf8')) as Results
  const table = [
    '| | accepted by the provider | tool output kept | user text kept | valid input unchanged | pending call left alone | undo |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...repair.rows.map(rowText),
  ].join('\n')
  return readme.replace(
    /(<!-- begin: peers -->)\n[\s\S]*?(<!-- end -->)/,
    (_, begin, end) => `${begin}\n${table}\n${end}`,
  )
}

function rowText(row: PeerRow): string {
  const accepted = Object.values(row.accepted).reduce((sum, one) => ({
    kept: sum.kept + one.kept,
    of: sum.of + one.of,
  }))
  const shares = [accepted, row.outputs, row.texts, row.validUnchanged, row.pendingLeft].map(percent)
  const providers = Object.keys(row.accepted).length === 1 ? `, ${Object.keys(row.accepted)[0]} only` : ''
  const name = [row.name, row.version].filter(Boolean).join(' ') + providers
  const cells = [name, ...shares, row.undone ? percent(row.undone) : 'no']
  return `| ${(row.name === 'suture' ? cells.map((cell) => `**${cell}**`) : cells).join(' | ')} |`
}

/** Rounded down: 99.97 % is not 100 %. */
function percent({ kept, of }: Share): string {
  return `${Math.floor((1000 * kept) / of) / 10} %`
}
