/**
 * The files for operation: the systemd unit, alerts, the dashboard, compose file and Dockerfile name metrics, labels,
 * variables and flags that exist.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { oddVariables } from '../src/cli/server/environment.ts'
import { environmentName, type Name, settings } from '../src/cli/server/settings.ts'
import { Metrics } from '../src/gateway/observation/index.ts'
import { skippable } from './skip-reasons.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, '../docker', name), 'utf8')
const all = new Metrics().text()
const types = new Map([...all.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]))
/** `up` is made by Prometheus. */
const known = new Set(['up'])
for (const [name, type] of types)
  for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) known.add(name + end)

const WORDS = new Set(['sum', 'by', 'rate', 'topk', 'histogram_quantile', 'label_values'])

/** Names in an expression that are neither functions, labels nor values of labels. */
function metricsIn(expression: string): readonly string[] {
  const plain = expression
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/by \([^)]*\)/g, '')
  return [...plain.matchAll(/[a-z_][a-z0-9_]*/g)].map(([name]) => name).filter((name) => !WORDS.has(name))
}

describe('alerts', () => {
  const rules = read('prometheus-rules.yaml')
  const expressions = [...rules.matchAll(/^ +expr: (.*)$/gm)].map(([, text]) => text!)

  it('each has a name of its own, an expression, a severity and a summary', () => {
    const names = [...rules.matchAll(/- alert: (\w+)$/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(expressions).toHaveLength(names.length)
    expect(rules.match(/severity: (warning|critical)/g)).toHaveLength(names.length)
    expect(rules.match(/summary: "/g)).toHaveLength(names.length)
  })

  it.each(expressions)('%s', (expression) => {
    expect(metricsIn(expression).length).toBeGreaterThan(0)
    for (const name of metricsIn(expression)) expect([...known]).toContain(name)
    if (/_total|_bucket/.test(expression)) expect(expression).toContain('rate(')
  })
})

interface Panel {
  readonly id: number
  readonly title: string
  readonly type: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly datasource: { readonly type: string; readonly uid: string }
  readonly targets: readonly { readonly refId: string; readonly expr: string }[]
}

describe('the dashboard', () => {
  const board = JSON.parse(read('grafana-dashboard.json')) as {
    readonly title: string
    readonly uid: string
    readonly schemaVersion: number
    readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] }
    readonly panels: readonly Panel[]
  }

  it('has what Grafana needs to load it', () => {
    expect(board).toMatchObject({
      title: expect.any(String),
      uid: expect.any(String),
      schemaVersion: expect.any(Number),
    })
    expect(board.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['instance', 'query'],
    ])
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
    for (const { gridPos, datasource, type } of board.panels) {
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      expect(datasource).toEqual({ type: 'prometheus', uid: '${datasource}' })
      expect(['timeseries', 'stat']).toContain(type)
    }
  })

  it.each(board.panels.map((panel) => [panel.title, panel] as const))('%s', (_, { targets }) => {
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
    for (const { expr } of targets) for (const name of metricsIn(expr)) expect([...known]).toContain(name)
  })

  it('panels do not overlap', () => {
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })
})

describe('variables', () => {
  const named = (text: string) => [...text.matchAll(/\bSUTURE_[A-Z_]+/g)].map(([name]) => name)
  it.each(['compose.yaml', 'Dockerfile', 'suture.service'])('%s names settings that exist', (file) => {
    const names = named(read(file))
    expect(names.length).toBeGreaterThan(0)
    expect(oddVariables(Object.fromEntries(names.map((name) => [name, 'x'])), [])).toEqual([])
    expect((Object.keys(settings) as Name[]).map(environmentName)).toEqual(expect.arrayContaining(names))
  })
})

const analyze = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find((path) => existsSync(path))
const missing = analyze === undefined && 'no systemd-analyze on this machine'

describe.skipIf(missing)(skippable('systemd', missing), () => {
  it('accepts the unit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'suture-unit-'))
    try {
      // The command has to exist where it is verified.
      const path = join(folder, 'suture.service')
      writeFileSync(path, read('suture.service').replace('/usr/bin/suture', '/usr/bin/env'))
      expect(execFileSync(analyze!, ['verify', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })).toBe('')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

it('the stop timeouts leave time for the drain', () => {
  const drain = 30
  expect(Number(/TimeoutStopSec=(\d+)/.exec(read('suture.service'))![1])).toBeGreaterThan(drain)
  expect(Number(/stop_grace_period: (\d+)s/.exec(read('compose.yaml'))![1])).toBeGreaterThan(drain)
})
