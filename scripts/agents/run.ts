/**
 * One run: an agent, a fault, and a way (directly to the contract, or through the gateway).
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { folderOf, NODE, runsFolder } from './install.ts'
import { branchesOf, factsOf, isModelRequest, unchangedOf } from './measure.ts'
import { MARKS, type Model, PROMPTS, scriptedModel } from './model.ts'
import { appears, type Finished, runBounded } from './process.ts'
import { LARGE, type Scenario } from './scenarios.ts'
import type { Agent, Command, Exchange, Outcome, Place, RunResult, Way } from './types.ts'
import { startUnderTest, type UnderTest } from './under-test.ts'

export interface RunSettings {
  readonly root: string
  readonly cache: string
  readonly version: string
  readonly timeoutMs: number
  /** Without namespaces, for tests. */
  readonly bare?: boolean
}

export async function runOnce(agent: Agent, scenario: Scenario, way: Way, settings: RunSettings): Promise<RunResult> {
  const folder = join(runsFolder(settings.cache, settings.root), agent.id, `${scenario.id}-${way}`)
  rmSync(folder, { recursive: true, force: true })
  const home = join(folder, 'home')
  const project = join(folder, 'project')
  for (const one of [home, project, join(folder, 'tmp')]) mkdirSync(one, { recursive: true })
  fill(project)
  const installed = folderOf(agent, settings.cache)
  let model: Model | undefined
  const under = await startUnderTest(way, settings.root, folder, (ask) => model!.step(ask))
  try {
    const place: Place = { installed, home, project, base: under.url }
    model = scriptedModel(agent, scenario, place)
    agent.prepare?.(place)
    const done = await played(agent, scenario, place, model, settings)
    const result = await judged(done, agent, scenario, way, model, under, settings)
    keep(folder, done, under, result)
    return result
  } finally {
    await under.close()
  }
}

function fill(project: string): void {
  writeFileSync(join(project, 'notes.txt'), 'Notes: the sky is blue — grün ist die Heide.\n')
  const line = 'line of a large file that a tool prints, in plain words only\n'
  writeFileSync(join(project, 'large.txt'), line.repeat(Math.ceil(LARGE / line.length)))
}

interface Played {
  readonly last: Finished
  readonly all: readonly Finished[]
  readonly mark: string
  /** Exchanges before the resume began. */
  readonly resumed: boolean
}

async function played(
  agent: Agent,
  scenario: Scenario,
  place: Place,
  model: Model,
  settings: RunSettings,
): Promise<Played> {
  const start = (command: Command, killAfter?: Promise<unknown>) =>
    runBounded(command.args, {
      cwd: place.project,
      env: environment(place, settings, command),
      timeoutMs: settings.timeoutMs,
      ...(killAfter ? { killAfter } : {}),
      ...(settings.bare ? { bare: true } : {}),
    })
  if (!scenario.kill) {
    const last = await start(agent.run(PROMPTS[0], place))
    return { last, all: [last], mark: MARKS[0], resumed: false }
  }
  const ended = new AbortController()
  const first = await start(agent.run(PROMPTS[0], place), killPoint(scenario, place, model, ended.signal))
  ended.abort()
  if (first.exit !== 'killed' || !agent.resume) return { last: first, all: [first], mark: MARKS[0], resumed: false }
  await sleep(300)
  const last = await start(agent.resume(PROMPTS[1], place))
  return { last, all: [first, last], mark: MARKS[1], resumed: true }
}

async function killPoint(scenario: Scenario, place: Place, model: Model, signal: AbortSignal): Promise<void> {
  if (scenario.kill === 'tool') await appears(join(place.project, 'started'), signal)
  else await model.reached
  await sleep(scenario.kill === 'tool' ? 600 : 1_200, undefined, { signal })
}

function environment(place: Place, settings: RunSettings, { env = {} }: Command): Record<string, string> {
  const node = join(folderOf(NODE, settings.cache), 'node_modules', 'node', 'bin')
  return {
    PATH: `${node}:${process.env['PATH'] ?? ''}`,
    HOME: place.home,
    USER: 'user',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    TMPDIR: join(place.home, '..', 'tmp'),
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DO_NOT_TRACK: '1',
    ...env,
  }
}

async function judged(
  done: Played,
  agent: Agent,
  scenario: Scenario,
  way: Way,
  model: Model,
  under: UnderTest,
  { version }: RunSettings,
): Promise<RunResult> {
  const sent = under.exchanges().filter(isModelRequest)
  return {
    agent: agent.id,
    version,
    fault: scenario.id,
    way,
    outcome: outcomeOf(done, sent),
    exit: done.all.map(({ exit }) => exit).join(', '),
    seconds: Math.round(done.all.reduce((sum, { seconds }) => sum + seconds, 0) * 10) / 10,
    requests: sent.length,
    unchanged: unchangedOf(sent, under.received),
    struck: model.struck,
    ...(way === 'recorded' ? { branches: branchesOf(sent) } : {}),
    facts: await factsOf(under.exchanges(), under.received),
  }
}

function outcomeOf({ last, mark }: Played, sent: readonly Exchange[]): Outcome {
  if (last.exit === 'timeout') return 'hung'
  if (last.stdout.includes(mark)) return repeated(sent) ? 'retried' : 'answered'
  return last.exit === 0 ? 'silent' : 'failed'
}

/** The client asked again: it sent the same body twice, or saw a request fail. */
function repeated(sent: readonly Exchange[]): boolean {
  const bodies = new Set(sent.map(({ body }) => body.toString('latin1')))
  return bodies.size < sent.length || sent.some(({ status }) => (status ?? 0) >= 400)
}

/** Everything a reader needs to see why a run ended as it did. */
function keep(folder: string, done: Played, under: UnderTest, result: RunResult): void {
  done.all.forEach((one, index) => {
    writeFileSync(join(folder, `stdout-${index + 1}.txt`), one.stdout)
    writeFileSync(join(folder, `stderr-${index + 1}.txt`), one.stderr)
  })
  writeFileSync(join(folder, 'gateway.log'), under.log())
  under.exchanges().forEach(({ method, path, headers, body, status, answer }, index) => {
    const head = JSON.stringify({ method, path, headers, status, answer }, undefined, 1)
    writeFileSync(join(folder, `sent-${index + 1}.head.json`), head)
    writeFileSync(join(folder, `sent-${index + 1}.body`), body)
  })
  under.received.forEach(({ method, path, bytes, verdict, faults, answer }, index) => {
    const head = JSON.stringify({ method, path, verdict, faults, status: answer.status }, undefined, 1)
    writeFileSync(join(folder, `received-${index + 1}.head.json`), head)
    writeFileSync(join(folder, `received-${index + 1}.body`), bytes)
  })
  writeFileSync(join(folder, 'result.json'), JSON.stringify(result, undefined, 1))
}
