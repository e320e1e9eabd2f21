/**
 * One report of what Suture costs: runs every bench for a short time, writes bench/results/cost.json and renders
 * docs/benchmarks.md from it.
 * Ends with 1 if a ratio is 25 % worse than the committed one. Parts that are not run keep their committed figures. On a quiet machine all of them take about 20 minutes.
 * Usage: npm run bench:report -- [--only guard,size] [--peers] [--json file]. `--peers` runs the comparison with peers
 * as well.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type CostResults, conditions, figuresOf, merged, type Part, versionOf } from './benchmarks/cost-results.ts'
import { isMet } from './benchmarks/figures.ts'
import { outputOf } from './benchmarks/run-step.ts'
import { type Step, stepsIn } from './benchmarks/steps.ts'
import { worseFigures } from './benchmarks/worse.ts'

const COMMITTED = 'bench/results/cost.json'
const PORTKEY = 'bench/peers/portkey'
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    peers: { type: 'boolean', default: false },
    json: { type: 'string', default: COMMITTED },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'suture-report-'))
const steps = stepsIn(folder)
const names = steps.map(({ name }) => name)
const wanted = values.only?.split(',') ?? names
const unknown = wanted.find((name) => !names.includes(name))
if (unknown) throw new Error(`There is no part "${unknown}". Parts are ${names.join(', ')}.`)

const before = earlier()
const parts: Part[] = []
const missing: string[] = []
try {
  for (const step of steps) if (wanted.includes(step.name)) await measured(step)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const now = { parts, missing }
writeFileSync(values.json, `${JSON.stringify(merged(before, now, names), null, 1)}\n`)
if (values.peers) run(['bench/peers/start.mjs'])
if (values.json === COMMITTED) run(['dist/scripts/benchmark-page.js'])
summary()

async function measured(step: Step): Promise<void> {
  const { name, seconds, packages = [] } = step
  const start = performance.now()
  console.log(`${name} …`)
  const found = conditions(packages, othersOf(name))
  const output = await outputOf({ ...step, env: { ...step.env, ...envOf(name) } }, (line) => console.log(`  ${line}`))
  const figures = output === undefined ? [] : step.figures(output)
  const why = output === undefined ? `failed or took over ${seconds} s` : 'nothing measured'
  if (figures.length === 0) missing.push(`${name}: ${why}`)
  else parts.push({ name, ...found, figures })
  const taken = Math.round((performance.now() - start) / 1000)
  console.log(`  ${figures.length === 0 ? `NOT MEASURED: ${why}` : `${figures.length} figures`}, ${taken} s`)
}

/** The gateway is measured against Portkey's, which is installed once at the versions of its lock file. */
function envOf(name: string): Record<string, string> {
  if (name !== 'gateway' || process.env['PORTKEY_DIR']) return {}
  if (!existsSync(`${PORTKEY}/node_modules`)) {
    console.log('  installing @portkey-ai/gateway, once')
    spawnSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: PORTKEY, stdio: 'inherit' })
  }
  return existsSync(`${PORTKEY}/node_modules`) ? { PORTKEY_DIR: resolve(PORTKEY) } : {}
}

function othersOf(name: string): readonly string[] {
  if (name === 'gateway') return [`@portkey-ai/gateway ${versionsIn(PORTKEY)}`]
  if (name !== 'viewer') return []
  const chromium = process.env['CHROME_PATH'] ?? '/usr/bin/chromium'
  return existsSync(chromium) ? [execFileSync(chromium, ['--version'], { encoding: 'utf8' }).trim()] : []
}

function versionsIn(folder: string): string {
  const at = `${process.env['PORTKEY_DIR'] ?? folder}/node_modules/@portkey-ai/gateway`
  if (existsSync(at)) return versionOf(at)
  const { dependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  return dependencies['@portkey-ai/gateway']
}

function run(args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}.`)
}

function summary(): void {
  const figures = figuresOf(now)
  const worse = worseFigures(figuresOf(before), figures)
  for (const line of worse) console.log(line)
  if (worse.length > 0) process.exitCode = 1
  for (const line of missing) console.log(`Not measured: ${line}`)
  const barred = figures.filter(({ bar }) => bar !== undefined)
  const missed = barred.filter((figure) => isMet(figure) === false)
  console.log(`${figures.length} figures, ${missed.length} of ${barred.length} bars missed. Written: ${values.json}`)
}

/** As committed, so that a second run does not compare with the first. Without git: the file as it is. */
function earlier(): CostResults {
  const { status, stdout } = spawnSync('git', ['show', `HEAD:${COMMITTED}`], { encoding: 'utf8', maxBuffer: 1e8 })
  if (status === 0) return JSON.parse(stdout) as CostResults
  if (!existsSync(COMMITTED)) return { parts: [], missing: [] }
  return JSON.parse(readFileSync(COMMITTED, 'utf8')) as CostResults
}
