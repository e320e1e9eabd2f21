/**
 * Renders docs/benchmarks.md, its pictures and the peer table of README.md from bench/results. Usage: npm run
 * docs:benchmarks
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { CostResults } from './benchmarks/cost-results.ts'
import { placed, rendered } from './benchmarks/page.ts'
import type { PeerResults } from './benchmarks/peer-tables.ts'

const results = JSON.parse(readFileSync('bench/results/peers.json', 'utf8')) as PeerResults
const cost = existsSync('bench/results/cost.json')
  ? (JSON.parse(readFileSync('bench/results/cost.json', 'utf8')) as CostResults)
  : undefined
const { benchmarks, readme, images } = rendered(results, cost)
for (const [name, image] of Object.entries(images)) writeFileSync(`docs/images/${name}`, image)
for (const [file, text] of [
  ['docs/benchmarks.md', benchmarks],
  ['README.md', readme],
] as const)
  writeFileSync(file, placed(readFileSync(file, 'utf8'), text, file))
