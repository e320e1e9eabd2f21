/**
 * Renders docs/benchmarks.md, its picture and the peer table of README.md from bench/results. `--all` prints every
 * figure with its bar instead. Usage: npm run docs:benchmarks -- [--all]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { allFigures } from './benchmarks/cost-page.ts'
import type { CostResults } from './benchmarks/cost-results.ts'
import { placed, rendered } from './benchmarks/page.ts'
import type { PeerResults } from './benchmarks/peer-tables.ts'

const results = JSON.parse(readFileSync('bench/results/peers.json', 'utf8')) as PeerResults
const cost = existsSync('bench/results/cost.json')
  ? (JSON.parse(readFileSync('bench/results/cost.json', 'utf8')) as CostResults)
  : undefined
if (process.argv.includes('--all')) console.log(cost ? allFigures(cost) : 'Nothing has been measured.')
else write()

function write(): void {
  const { benchmarks, readme, images } = rendered(results, cost)
  for (const [name, image] of Object.entries(images)) writeFileSync(`docs/images/${name}`, image)
  for (const [file, text] of [
    ['docs/benchmarks.md', benchmarks],
    ['README.md', readme],
  ] as const)
    writeFileSync(file, placed(readFileSync(file, 'utf8'), text, file))
}
