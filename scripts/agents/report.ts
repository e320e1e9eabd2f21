/**
 * Renders the runs as a page: a table of the traffic, a table of the faults, and a list of all failures.
 */
import { scenarios } from './scenarios.ts'
import type { Agent, Fact, FaultId, Outcome, RunResult, Way } from './types.ts'

const WAYS: readonly Way[] = ['direct', 'gateway', 'recorded']

/** From worst to best. A run that ends with exit code 0 and no answer is worse than one that fails with an error. */
const RANK: Readonly<Record<Outcome, number>> = { hung: 0, silent: 1, failed: 2, retried: 3, answered: 3 }

export function report(
  agents: readonly Agent[],
  runs: readonly RunResult[],
  missing: Readonly<Record<string, string>>,
): string {
  const shown = agents.filter(({ id }) => runs.some((run) => run.agent === id))
  return [
    HEAD,
    '## Traffic\n',
    TRAFFIC_INTRO,
    traffic(shown, runs),
    '\n## Faults\n',
    FAULTS_INTRO,
    scenarios.map(({ title, explain }) => `- **${title}**: ${explain}`).join('\n'),
    '',
    faultTable(shown, runs),
    '\n## Bars\n',
    bars(shown, runs),
    '\n## Findings, rejections and errors\n',
    details(shown, runs),
    '\n## Not run\n',
    notRun(agents, runs, missing),
    '',
  ].join('\n')
}

const HEAD = `# Real agents through the gateway

Made by \`npm run agents -- --report docs/evidence/agents.md\`; do not edit. The script installs the agents from npm into a cache folder (\`SUTURE_AGENTS_DIR\`), starts
itself again in a network namespace that has only loopback (\`unshare -rn\`), and runs each agent non-interactively with a home folder of its own. The
[contract](../guide/contract.md) plays a scripted model: three rounds of tool calls, then an answer. Each run is made directly to the contract, through
\`suture serve\` in its default mode (*gateway*), and for some faults through \`suture serve --derive\` with an SQLite store (*recorded*). What the client sends is recorded inside the process that receives it.
`

const TRAFFIC_INTRO = `Over all runs of an agent. *Unchanged*: bodies that reached the contract byte for byte as the client sent them. *False errors*: requests with a finding
although the contract accepts their bytes. *Repaired*: requests with a finding whose bytes the contract rejects. *Rejected*: requests that the contract rejected, directly and through the gateway;
those that are a known bug of the agent are in parentheses. *Sessions*: 1 is right; more means that the recorder took a round for a branch.
`

const FAULTS_INTRO = `Each cell has the outcome directly, through the gateway, and (where it was run) recorded. *answered*: the agent printed the whole answer. *retried*: the same, after the agent
itself asked again. *failed*: no whole answer, and an exit code that says so. *silent*: no whole answer, and exit code 0. *hung*: ended by the time limit. **Bold**: worse than directly.
`

function of(runs: readonly RunResult[], agent: Agent, ways: readonly Way[] = WAYS): RunResult[] {
  return runs.filter((run) => run.agent === agent.id && ways.includes(run.way))
}

const sum = (runs: readonly RunResult[], count: (run: RunResult) => number) =>
  runs.reduce((total, run) => total + count(run), 0)
const counting = (kind: Fact['kind']) => (run: RunResult) => run.facts.filter((fact) => fact.kind === kind).length

function isOwnBug(agent: Agent, { kind, detail }: Fact): boolean {
  return kind === 'rejected' && Object.keys(agent.ownBugs ?? {}).some((rule) => detail.startsWith(`${rule}:`))
}

/** Rejections that no known bug of the agent explains, and those that one does. */
function rejections(agent: Agent, runs: readonly RunResult[]): { others: number; own: number } {
  const all = runs.flatMap(({ facts }) => facts).filter(({ kind }) => kind === 'rejected')
  const own = all.filter((fact) => isOwnBug(agent, fact)).length
  return { others: all.length - own, own }
}

function traffic(agents: readonly Agent[], runs: readonly RunResult[]): string {
  const rows = agents.map((agent) => {
    const direct = of(runs, agent, ['direct'])
    const through = of(runs, agent, ['gateway', 'recorded'])
    const shownRejections = [direct, through].map((some) => {
      const { others, own } = rejections(agent, some)
      return own > 0 ? `${others} (${own})` : String(others)
    })
    return [
      `${agent.title} ${of(runs, agent)[0]?.version ?? ''}`,
      agent.wire,
      sum(of(runs, agent), ({ requests }) => requests),
      `${sum(through, ({ unchanged }) => unchanged)} of ${sum(through, ({ requests }) => requests)}`,
      sum(through, counting('false-error')),
      sum(through, counting('repaired')),
      shownRejections.join(' / '),
      sum(through, counting('gateway-error')),
      find(runs, agent, 'plain', 'recorded')?.branches ?? '–',
    ]
  })
  const head = [
    'agent',
    'wire',
    'requests',
    'unchanged through the gateway',
    'false errors',
    'repaired',
    'rejected direct / gateway',
    'errors of the gateway itself',
    'sessions of a recorded plain run',
  ]
  return table(head, rows)
}

/** An agent that asked more often than in its plain run has retried. */
export function outcomeOf(run: RunResult, plain: RunResult | undefined): Outcome {
  const more = plain !== undefined && run.requests > plain.requests
  return run.outcome === 'answered' && more && !run.fault.startsWith('kill') ? 'retried' : run.outcome
}

export function isWorse(direct: RunResult | undefined, through: RunResult): boolean {
  return direct !== undefined && RANK[through.outcome] < RANK[direct.outcome]
}

function find(runs: readonly RunResult[], agent: Agent, fault: FaultId, way: Way): RunResult | undefined {
  return runs.find((run) => run.agent === agent.id && run.fault === fault && run.way === way)
}

function cell(runs: readonly RunResult[], agent: Agent, fault: FaultId): string {
  const direct = find(runs, agent, fault, 'direct')
  const cells = WAYS.flatMap((way) => {
    const run = find(runs, agent, fault, way)
    if (!run) return []
    const text =
      outcomeOf(run, find(runs, agent, 'plain', way)) + (run.struck || fault === 'plain' ? '' : ' (no fault)')
    return [isWorse(direct, run) ? `**${text}**` : text]
  })
  return cells.length === 0 ? '–' : cells.join(' / ')
}

function worseRuns(agent: Agent, runs: readonly RunResult[]): RunResult[] {
  return of(runs, agent, ['gateway', 'recorded']).filter((run) => isWorse(find(runs, agent, run.fault, 'direct'), run))
}

function faultTable(agents: readonly Agent[], runs: readonly RunResult[]): string {
  const rows = agents.map((agent) => [
    `${agent.title} (${agent.wire})`,
    ...scenarios.map(({ id }) => cell(runs, agent, id)),
    worseRuns(agent, runs).length === 0 ? 'yes' : '**no**',
  ])
  return table(['agent', ...scenarios.map(({ title }) => title), 'not worse'], rows)
}

interface Bar {
  readonly name: string
  readonly measured: number
}

/** Each of these must be 0. */
export function barsOf(agents: readonly Agent[], runs: readonly RunResult[]): Bar[] {
  const rejected = agents.reduce((total, agent) => total + rejections(agent, of(runs, agent)).others, 0)
  const worse = agents.flatMap((agent) => worseRuns(agent, runs))
  return [
    { name: 'false errors', measured: sum(runs, counting('false-error')) },
    { name: 'contract rejections (without known bugs of the agents)', measured: rejected },
    { name: 'runs worse through the gateway than directly', measured: worse.length },
  ]
}

function bars(agents: readonly Agent[], runs: readonly RunResult[]): string {
  const rows = barsOf(agents, runs).map(({ name, measured }) => [
    name,
    0,
    measured,
    measured === 0 ? 'held' : '**not held**',
  ])
  return table(['', 'bar', 'measured', ''], rows)
}

function details(agents: readonly Agent[], runs: readonly RunResult[]): string {
  const lines = agents.flatMap((agent) => {
    const facts = of(runs, agent).flatMap((run) => run.facts.map((one) => ({ ...one, run })))
    const groups = new Map<string, typeof facts>()
    for (const one of facts) {
      const text = `${one.kind}: ${withoutIds(one.detail)}`
      groups.set(text, [...(groups.get(text) ?? []), one])
    }
    return [...groups].map(([text, all]) => {
      const where = [...new Set(all.map(({ run }) => `${run.fault} ${run.way}`))]
      const own = isOwnBug(agent, all[0]!) ? ` (known bug: ${Object.values(agent.ownBugs ?? {}).join('; ')})` : ''
      return `- ${agent.title} (${agent.wire}): ${text}${own}; ${all.length} × in ${where.join(', ')}`
    })
  })
  return lines.length > 0 ? lines.join('\n') : 'None.'
}

/** Ids and positions differ from run to run. */
function withoutIds(detail: string): string {
  return detail
    .replace(/\b(rs|msg|fc|call|toolu)_[\w-]+/g, '$1_…')
    .replace(/\.\d+(?=\.)/g, '.N')
    .replace(/\[\d+\]/g, '[N]')
}

function notRun(
  agents: readonly Agent[],
  runs: readonly RunResult[],
  missing: Readonly<Record<string, string>>,
): string {
  const lines = agents.flatMap((agent) => {
    const why = missing[agent.id] ?? (runs.some((run) => run.agent === agent.id) ? undefined : 'not run yet')
    const noted = agent.notes === undefined ? [] : [`- ${agent.title} (${agent.wire}): ${agent.notes}`]
    return why === undefined ? noted : [`- ${agent.title} (${agent.wire}): ${why}`, ...noted]
  })
  return lines.length > 0 ? lines.join('\n') : 'Every agent of the list was run.'
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
