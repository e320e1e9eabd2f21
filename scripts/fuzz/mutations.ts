/**
 * Runs the mutation fuzzer: one thread works, this one watches it. A case that hangs, runs out of memory or ends the
 * thread is a failure like any other, and the next case follows.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { problemOf } from './minimize.ts'
import type { Input } from './surface.ts'
import { type Order, type Report, surfacesOf } from './worker.ts'

/** No case takes a hundredth of it on a machine that does nothing else. */
const HANGS_AFTER_MS = 120_000
const LONGEST_PRINT = 1500

export interface FuzzOptions {
  readonly minutes: number
  readonly seed: number
  readonly only: readonly string[]
  readonly folder?: string | undefined
  readonly one?: number | undefined
}

/** How many failures there are. Each is printed with its smallest input and the command that runs it again. */
export async function fuzzMutations({ minutes, seed, only, folder, one }: FuzzOptions): Promise<number> {
  const until = Date.now() + minutes * 60_000
  const counts: Record<string, number> = {}
  let failures = 0
  let from = 0
  for (let isOver = false; !isOver; ) {
    const order: Order = { seed, from, until, only, folder, one }
    isOver = await new Promise<boolean>((resolve) => {
      const worker = new Worker(new URL(workerFile(), import.meta.url), {
        workerData: { fuzz: order },
        resourceLimits: { maxOldGenerationSizeMb: 2048, stackSizeMb: 1 },
      })
      let running: { readonly surface: string; readonly number: number; readonly since: number } | undefined
      const broken = (problem: string) => {
        clearInterval(watch)
        if (running) {
          failures++
          from = running.number + 1
          printFailure({ ...running, problem }, seed)
        } else console.log(problem)
        void worker.terminate()
        resolve(!running || one !== undefined || Date.now() >= until)
      }
      const watch = setInterval(() => {
        if (running && Date.now() - running.since > HANGS_AFTER_MS) broken('the case does not end')
      }, 1000)
      worker.on('error', (error: Error) => broken(`the thread ended: ${error?.stack ?? error}`))
      worker.on('message', (report: Report) => {
        if (report.kind === 'started') {
          running = { ...report, since: Date.now() }
          counts[report.surface] = (counts[report.surface] ?? 0) + 1
        } else if (report.kind === 'failed') {
          failures++
          printFailure(report, seed)
        } else {
          clearInterval(watch)
          void worker.terminate()
          resolve(true)
        }
      })
    })
  }
  const sums = Object.entries(counts).map(([name, count]) => `${count} of ${name}`)
  console.log(`mutations: ${sums.join(', ')}, seed ${seed}: ${failures === 0 ? 'nothing broke' : `${failures} FAILED`}`)
  return failures
}

/** The bundle that `scripts/run.mjs` makes is one file. */
function workerFile(): string {
  return import.meta.url.includes('/dist/') ? './worker.js' : import.meta.url
}

interface Failure {
  readonly surface: string
  readonly number: number
  readonly problem: string
  readonly input?: Input
}

function printFailure({ surface, number, problem, input }: Failure, seed: number): void {
  console.log(
    `\nFAILED ${surface}: ${JSON.stringify(problem.slice(0, LONGEST_PRINT)).slice(1, -1).replaceAll('\\n', '\n')}`,
  )
  console.log(`  the whole case: npm run fuzz -- --surface ${surface} --seed ${seed} --case ${number}`)
  if (!input) return
  // A message between threads has plain bytes.
  const bytes = Buffer.from(input.bytes)
  const text = bytes.toString()
  console.log(`  smallest input: ${JSON.stringify(text.slice(0, LONGEST_PRINT))}`)
  console.log(`  with: ${JSON.stringify(input.about)}`)
  const file = join(mkdtempSync(join(tmpdir(), 'suture-fuzz-case-')), 'case.json')
  writeFileSync(file, JSON.stringify({ surface, about: input.about, bytes: bytes.toString('base64') }))
  console.log(`  again: npm run fuzz -- --input ${file}`)
}

/** Runs one stored input. */
export async function runStored(file: string): Promise<number> {
  const { surface: name, about, bytes } = JSON.parse(readFileSync(file, 'utf8'))
  const [surface] = surfacesOf({ only: [name] })
  if (!surface) throw new Error(`No surface "${name}".`)
  const problem = await problemOf(surface, { about, bytes: Buffer.from(bytes, 'base64') })
  await surface.close?.()
  console.log(problem ?? 'nothing broke')
  return problem === undefined ? 0 : 1
}
