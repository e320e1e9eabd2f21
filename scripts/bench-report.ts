/**
 * One report of what Suture costs: runs every bench for a short time and writes bench/results/cost.json, from which docs/benchmarks.md is
 * rendered. Usage: npm run bench:report -- [--only guard,size] [--json file]. On a quiet machine it takes about ten minutes.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parts } from '../bench/core-rows.ts'
import * as read from './benchmarks/figures.ts'
import { worseFigures } from './benchmarks/worse.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, json: { type: 'string', default: 'bench/results/cost.json' } },
})
const folder = mkdtempSync(join(tmpdir(), 'suture-report-'))
const coreJson = join(folder, 'core.json')

interface Step {
  readonly name: string
  readonly args: readonly string[]
  readonly seconds: number
  readonly env?: Readonly<Record<string, string>>
  figures(output: string): read.Figure[]
}

const STEPS: readonly Step[] = [
  { name: 'size', args: ['dist/bench/size.js'], seconds: 60, figures: read.sizeFigures },
  {
    name: 'core',
    args: ['dist/bench/core.js', '--quick', '--only', 'lint,repair,growth,memory', '--json', coreJson],
    seconds: 280,
    figures: () => read.coreFigures(JSON.parse(readFileSync(coreJson, 'utf8')), parts),
  },
  { name: 'guard', args: ['dist/bench/guard.js'], seconds: 90, figures: read.guardFigures },
  {
    name: 'gateway',
    args: ['dist/bench/gateway.js'],
    seconds: 150,
    env: { ROUNDS: '3', SECONDS: '1' },
    figures: read.gatewayFigures,
  },
  {
    name: 'streams',
    args: ['dist/bench/gateway-streams.js'],
    seconds: 40,
    env: { ROUNDS: '3' },
    figures: read.streamFigures,
  },
  { name: 'stores', args: ['--expose-gc', 'dist/bench/session.js'], seconds: 90, figures: read.sessionFigures },
  {
    name: 'cli',
    args: ['dist/bench/cli.js'],
    seconds: 60,
    env: { SUTURE_BENCH_MB: '20', SUTURE_BENCH_SESSIONS: '50' },
    figures: read.cliFigures,
  },
  {
    name: 'compact',
    args: ['--expose-gc', '--max-old-space-size=8192', 'dist/bench/compact.js', '--messages', '20000'],
    seconds: 60,
    figures: read.compactFigures,
  },
  { name: 'viewer', args: ['dist/bench/viewer.js'], seconds: 60, figures: read.viewerFigures },
]

const wanted = values.only?.split(',')
const unknown = wanted?.find((name) => !STEPS.some((step) => step.name === name))
if (unknown) throw new Error(`There is no part "${unknown}". Parts are ${STEPS.map(({ name }) => name).join(', ')}.`)

const before = earlier()
// Other work on the machine makes every figure worse: the page shows the load.
const load = Math.round(loadavg()[0]! * 10) / 10
const figures: read.Figure[] = []
const missing: string[] = []
try {
  for (const step of STEPS) if (!wanted || wanted.includes(step.name)) await taken(step)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`
const report = { machine, system: `${process.platform} ${process.arch}`, node: process.version, load, missing, figures }
writeFileSync(values.json, `${JSON.stringify(report, null, 1)}\n`)
for (const line of worseFigures(before, figures)) console.log(line)
const missed = figures.filter((figure) => read.isMet(figure) === false)
console.log(
  `${figures.length} figures, ${missed.length} bars missed, ${missing.length} parts not measured. Written: ${values.json}`,
)

async function taken({ name, args, seconds, env, figures: from }: Step): Promise<void> {
  process.stdout.write(`${name} …`)
  const start = performance.now()
  const output = await outputOf(args, seconds, env)
  const found = output === undefined ? [] : from(output)
  if (found.length === 0)
    missing.push(output === undefined ? `${name}: failed or took over ${seconds} s` : `${name}: nothing measured`)
  figures.push(...found)
  console.log(` ${found.length} figures, ${Math.round((performance.now() - start) / 1000)} s`)
}

/** What it printed; undefined if it failed or took too long. */
function outputOf(args: readonly string[], seconds: number, env = {}): Promise<string | undefined> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const timer = setTimeout(() => child.kill('SIGTERM'), seconds * 1000)
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? output : undefined)
    }),
  )
}

function earlier(): readonly read.Figure[] {
  try {
    return (JSON.parse(readFileSync('bench/results/cost.json', 'utf8')) as typeof report).figures
  } catch {
    return []
  }
}
