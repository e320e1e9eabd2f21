/**
 * The process that is killed. It runs the given operations on a file, one after the other, and prints a line after
 * each: a printed operation is acknowledged, and must be there whatever happens next.
 */
import { spawnSync } from 'node:child_process'
import { openSync, rmSync, writeSync } from 'node:fs'
import { isSutureError } from '../../src/core/index.ts'
import { type Opening, openFile } from './drivers.ts'
import { below, randomOf } from './matrix-row.ts'
import { doings, openScene, type Scene } from './operations.ts'
import { builders } from './tagged-messages.ts'

export interface Task {
  readonly opening: Opening
  readonly session: string
  readonly dialect: string
  /** Begins the ids of operations: never the same in two runs. */
  readonly name: string
  /** These in order, or as many as there is time for, at random. */
  readonly plan: readonly string[] | 'random'
  readonly seed: number
  /** After an error: ask again under the same id, or end at once without a word. */
  readonly retry?: boolean
  /** Before it asks again: the file to remove, or `unlimited`, so that there is room. */
  readonly room?: string
  /** A file that gets the same lines, so that they are in a trace of the writes. */
  readonly acknowledgements?: string
}

export interface Acknowledged {
  readonly done: string
  readonly doing: string
  readonly session: string
  /** Something was written under this id. */
  readonly stored: boolean
  readonly positions?: readonly number[]
}

/** A line that the process prints. */
export type Line =
  | { readonly opened: number }
  | { readonly begun: string; readonly doing: string }
  | Acknowledged
  | { readonly failed: string; readonly code: string; readonly words: string }
  | { readonly ended: true }

const names = Object.keys(doings)

async function main({ opening, session, dialect, name, plan, seed, retry }: Task): Promise<void> {
  const builder = builders[dialect]!
  const random = randomOf(seed)
  const store = await again(retry, 'open', () => openFile(opening))
  const opened = await again(retry, 'open', () => openScene(store, session, builder))
  const scene: Scene = { store, builder, random, opening, session: opened }
  say({ opened: scene.session.head })
  for (let i = 0; plan === 'random' || i < plan.length; i++) {
    const doing = plan === 'random' ? names[below(random, names.length)]! : plan[i]!
    const op = `${name}.${i}`
    say({ begun: op, doing })
    const before = scene.session.head
    const done = await again(retry, op, () => doings[doing]!(scene, op))
    say({ done: op, doing, stored: done.session !== session || scene.session.head > before, ...done })
  }
  say({ ended: true })
}

/** Once more after an error, on the same handle, under the same id. */
async function again<T>(retry: boolean | undefined, op: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    say({ failed: op, code: codeOf(error), words: String(error).slice(0, 300) })
    if (retry) makeRoom()
    if (retry) return work()
    // As a process ends that did not see it coming: nothing is closed, nothing is written back.
    process.kill(process.pid, 'SIGKILL')
    throw error
  }
}

function makeRoom(): void {
  if (task.room === 'unlimited') spawnSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited:unlimited'])
  else if (task.room !== undefined) rmSync(task.room, { force: true })
}

function codeOf(error: unknown): string {
  if (isSutureError(error)) return error.code
  return `not typed: ${String((error as { code?: unknown }).code ?? error)}`
}

function say(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
  if (acknowledgements !== undefined) writeSync(acknowledgements, `${JSON.stringify(line)}\n`)
}

const task = JSON.parse(process.argv[2]!) as Task
const acknowledgements = task.acknowledgements === undefined ? undefined : openSync(task.acknowledgements, 'w')
// Without this a write beyond a limit ends the process instead of failing.
process.on('SIGXFSZ', () => {})
await main(task)
process.exit(0)
