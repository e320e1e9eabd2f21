/**
 * One job of the bench in a process of its own: prints each row as a line of JSON. Its argument is the job.
 */
import { growth, memory } from './core-once.ts'
import type { Row } from './core-rows.ts'
import { type Extents, isWarm, warm } from './core-warm.ts'
import { loadEngine } from './engine.ts'
import { subjectFor } from './subjects.ts'

export interface Job {
  readonly parts: readonly string[]
  readonly provider: string
  readonly dialect: string
  readonly model: string | undefined
  readonly extents: Extents
  /** Messages of the larger history. */
  readonly growth: number
  /** Bytes of the history. */
  readonly memory: number
  readonly engine?: string | undefined
}

const job = JSON.parse(process.argv[2]!) as Job
const engine = await loadEngine(job.engine)
const subject = subjectFor(job.provider, job.dialect, job.model)
for (const part of job.parts) for (const row of rowsOf(part)) process.stdout.write(`${JSON.stringify(row)}\n`)

function rowsOf(part: string): Row[] {
  if (part === 'growth') return growth(engine, subject, job.growth)
  if (part === 'memory-lint') return [memory(engine, subject, job.memory, 'lint')]
  if (part === 'memory-repair') return [memory(engine, subject, job.memory, 'repair')]
  if (isWarm(part)) return [warm(part, engine, subject, job.extents)]
  throw new Error(`There is no part "${part}".`)
}
