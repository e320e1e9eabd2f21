/**
 * Suture and its peers side by side. Writes the results that `npm run docs:benchmarks` renders.
 * Usage: npm run bench:peers -- [--runs 2500] [--only repair,files,compaction] [--json bench/results/peers.json]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compactionTable } from './compaction.ts'
import { quietly } from './quiet.ts'
import { repairTable } from './repair-table.ts'
import { sessionFileTable } from './session-files.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2500' },
    only: { type: 'string', default: 'repair,files,compaction' },
    json: { type: 'string', default: new URL('../results/peers.json', import.meta.url).pathname },
  },
})

const TABLES = {
  repair: () => repairTable(Number(values.runs), progress),
  files: () => sessionFileTable(progress),
  compaction: () => compactionTable(progress),
} as const

const wanted = values.only.split(',')
const unknown = wanted.find((name) => !Object.hasOwn(TABLES, name))
if (unknown) throw new Error(`There is no table "${unknown}". Tables are ${Object.keys(TABLES).join(', ')}.`)

const results: Record<string, unknown> = earlier()
for (const [name, table] of Object.entries(TABLES)) if (wanted.includes(name)) results[name] = await quietly(table)
results['node'] = process.version
writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`)
progress(`Written: ${values.json}. Render the page with: npm run docs:benchmarks`)

function earlier(): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(values.json, 'utf8')) as Record<string, unknown>
  } catch {
    return {}
  }
}

function progress(line: string): void {
  process.stdout.write(`${line}\n`)
}
