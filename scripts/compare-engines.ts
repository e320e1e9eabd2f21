/**
 * Runs lint and repair of two builds of the package on the same histories and lists where they differ.
 * Usage: npm run compare -- --old <dist of a build> --new <dist of another> [--runs 100] [--seed 1] [--provider openai] [--dialect gemini]
 *        [--source corpus|damaged|random] [--same old-rule=new-rule]... [--most 60] [--json file]
 * `--runs`: random histories for each provider and dialect; of damaged ones five times as many for each recording.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadEngine } from '../bench/engine.ts'
import { Groups } from './compare/groups.ts'
import { type Input, inputs } from './compare/inputs.ts'
import { reportOf } from './compare/report.ts'

const { values } = parseArgs({
  options: {
    old: { type: 'string' },
    new: { type: 'string' },
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    provider: { type: 'string' },
    dialect: { type: 'string' },
    source: { type: 'string' },
    same: { type: 'string', multiple: true, default: [] },
    most: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
})
if (values.old === undefined)
  throw new Error('Say which build to compare with: --old <dist folder>. --new is this one by default.')

const pair = {
  old: await loadEngine(values.old),
  new: await loadEngine(values.new),
  renamed: Object.fromEntries(values.same.map((one) => one.split('='))),
}
const groups = new Groups(pair)
for (const input of inputs({ runs: Number(values.runs), seed: Number(values.seed) })) {
  if (!isWanted(input)) continue
  groups.add(input)
  if (groups.inputs % 5000 === 0) console.error(`${groups.inputs} histories…`)
}
const found = groups.all(Math.max(200, Number(values.most)))
console.log(`${groups.inputs} histories, seed ${values.seed}: ${found.length} groups of differences.`)
if (found.length > 0) console.log(reportOf(found, Number(values.most)))
if (values.json) writeFileSync(values.json, `${JSON.stringify(found, null, 2)}\n`)

function isWanted({ source, target }: Input): boolean {
  return (
    (!values.source || source === values.source) &&
    (!values.provider || target.provider === values.provider) &&
    (!values.dialect || target.dialect === values.dialect)
  )
}
