/**
 * Runs real agents against the contract, directly and through the gateway, and writes the table.
 * Usage: npm run agents -- [--agents codex,pi] [--faults plain,cut-text] [--ways direct,gateway,recorded] [--timeout
 * 120] [--report docs/evidence/agents.md]
 *        npm run agents -- --report-only --report docs/evidence/agents.md
 * Ends with exit code 1 if a bar is not held. Results of earlier runs are kept in the cache folder (SUTURE_AGENTS_DIR),
 * so agents can be run one by one and reported together.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { agents } from './agents/index.ts'
import { cacheFolder, install, NODE, runsFolder, versionOf } from './install.ts'
import { barsOf, report } from './report.ts'
import { runOnce } from './run.ts'
import { scenarios } from './scenarios.ts'
import type { Agent, RunResult, Way } from './types.ts'

const INSIDE = 'SUTURE_AGENTS_INSIDE'
const root = process.cwd()
const cache = cacheFolder()
/** By agent: why it cannot be installed. */
const missing: Record<string, string> = {}

const { values } = parseArgs({
  options: {
    agents: { type: 'string' },
    faults: { type: 'string' },
    ways: { type: 'string', default: 'direct,gateway,recorded' },
    timeout: { type: 'string', default: '120' },
    report: { type: 'string' },
    'report-only': { type: 'boolean', default: false },
  },
})

/** Each run leaves its result in its folder. */
function results(): RunResult[] {
  const folder = runsFolder(cache, root)
  if (!existsSync(folder)) return []
  const files = agents.flatMap(({ id }) => {
    const own = join(folder, id)
    return existsSync(own) ? readdirSync(own).map((name) => join(own, name, 'result.json')) : []
  })
  return files.filter((file) => existsSync(file)).map((file) => JSON.parse(readFileSync(file, 'utf8')) as RunResult)
}

function named<T extends { readonly id: string }>(all: readonly T[], list: string | undefined): readonly T[] {
  if (list === undefined) return all
  return list.split(',').map((id) => {
    const found = all.find((one) => one.id === id)
    if (!found) throw new Error(`Unknown name "${id}". Known: ${all.map((one) => one.id).join(', ')}.`)
    return found
  })
}

const chosen = named(agents, values.agents)

function installAll(): void {
  const trouble = install(NODE, cache)
  if (trouble) throw new Error(trouble)
  for (const agent of chosen) {
    const why = install(agent, cache)
    if (why) missing[agent.id] = why
    console.log(`${agent.title}: ${why ?? versionOf(agent, cache)}`)
  }
}

/** Starts this program again in a network namespace that has nothing but loopback. Its processes end with it. */
function reenter(): void {
  const again = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, ...process.argv.slice(1)]
  const { status, error } = spawnSync('unshare', ['-rn', '--pid', '--fork', '--kill-child', '--mount-proc', ...again], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  })
  if (error) throw new Error(`unshare cannot be run (${error.message}); a Linux with user namespaces is needed.`)
  process.exitCode = status ?? 1
}

function assertIsolated(): void {
  const others = Object.keys(networkInterfaces()).filter((name) => name !== 'lo')
  if (others.length > 0) throw new Error(`The network is not isolated: ${others.join(', ')}.`)
}

async function runAll(): Promise<void> {
  assertIsolated()
  const ways = values.ways.split(',') as Way[]
  for (const agent of chosen.filter((one) => versionOf(one, cache) !== undefined)) {
    for (const scenario of named(scenarios, values.faults)) {
      if (scenario.kill && !agent.resume) continue
      for (const way of ways)
        if (way !== 'recorded' || scenario.recorded || values.faults) await runAndKeep(agent, scenario, way)
    }
  }
}

async function runAndKeep(agent: Agent, scenario: (typeof scenarios)[number], way: Way): Promise<void> {
  const settings = { root, cache, version: versionOf(agent, cache)!, timeoutMs: Number(values.timeout) * 1_000 }
  const result = await runOnce(agent, scenario, way, settings)
  const { outcome, exit, seconds, requests, unchanged, struck, facts } = result
  const counts = `${unchanged}/${requests} unchanged${struck || scenario.id === 'plain' ? '' : ', fault did not strike'}`
  console.log(`${agent.id} ${scenario.id} ${way}: ${outcome} (exit ${exit}, ${seconds} s, ${counts})`)
  for (const { kind, detail } of facts) console.log(`  ${kind}: ${detail.slice(0, 300)}`)
}

if (process.env[INSIDE]) {
  await runAll()
} else {
  mkdirSync(cache, { recursive: true })
  if (!values['report-only']) {
    installAll()
    reenter()
  }
  const runs = results()
  const text = report(agents, runs, missing)
  if (values.report) writeFileSync(values.report, text)
  else console.log(text)
  if (barsOf(agents, runs).some(({ measured }) => measured > 0)) process.exitCode = 1
}
