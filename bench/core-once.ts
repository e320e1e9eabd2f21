/**
 * Measurements that need a process of their own: growth with the number of messages, and peak memory.
 */
import { GCProfiler } from 'node:v8'
import { timed } from './clock.ts'
import type { Row } from './core-rows.ts'
import type { Engine } from './engine.ts'
import { broken, longHistory, manyMessages } from './histories.ts'
import { type Subject, targetOf } from './subjects.ts'

/** Growth from a tenth of the messages to all: with unique ids, and with the same messages and ids repeated. */
export function growth(engine: Engine, subject: Subject, most: number): Row[] {
  const options = targetOf(subject)
  const base = manyMessages(subject, 2000)
  const kinds: Readonly<Record<string, (count: number) => unknown[]>> = {
    'own ids': (count) => manyMessages(subject, count),
    'ids reused': (count) => Array.from({ length: count }, (_, i) => base[i % base.length]),
  }
  return Object.entries(kinds).flatMap(([kind, made]) => {
    const [few, many] = [most / 10, most].map((count) => {
      const history = broken(made(count), subject.dialect)
      const runs = count === most ? 3 : 8
      return {
        lint: best(runs, () => engine.lint(history, options)),
        repair: best(runs, () => engine.repair(history, options)),
      }
    })
    return (['lint', 'repair'] as const).map((work) =>
      row(
        'growth',
        subject,
        many![work] / few![work],
        `${work}, ${kind}, ${most} messages, ${many![work].toFixed(0)} ms`,
      ),
    )
  })
}

function best(runs: number, work: () => unknown): number {
  return Math.min(...Array.from({ length: runs }, () => timed(work).cpu))
}

/** Peak of the heap above the parsed history: live objects, and garbage that was not collected yet. */
export function memory(engine: Engine, subject: Subject, bytes: number, work: 'lint' | 'repair'): Row {
  const options = targetOf(subject)
  // A buffer is outside the heap, so that only the history counts as parsed.
  const text = Buffer.from(JSON.stringify(broken(longHistory(subject, bytes), subject.dialect)))
  const before = settled()
  const history = JSON.parse(text.toString()) as unknown[]
  const parsed = settled()
  const profiler = new GCProfiler()
  profiler.start()
  const result = engine[work](history, options)
  const after = process.memoryUsage().heapUsed
  const seen = profiler.stop()!.statistics.map(({ beforeGC }) => beforeGC.heapStatistics.usedHeapSize)
  const more = Math.max(after, ...seen) - parsed
  const size = parsed - before
  const note = `${work}, ${megabytes(bytes)} MB of JSON, ${megabytes(size)} MB parsed, ${megabytes(more)} MB more at the peak`
  return row('memory', subject, result === undefined ? 0 : more / size, note)
}

/** Bytes in use after two full collections: the first leaves what finalizers and weak references held. */
function settled(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function row(part: Row['part'], { provider, dialect, model }: Subject, ratio: number, note: string): Row {
  return { part, provider, dialect, model, ratio, note }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
