/**
 * The session worker as this version, and as a later one: built from the same sources with a higher record version and
 * one more step of the schema. Each runs in a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

/** What a later version changed: a file of src, a text in it that must be there, and what it became. */
export type Change = readonly [file: string, was: string, now: string]

export interface Built {
  start(): Worker
  remove(): void
}

export async function builtWith(changes: readonly Change[]): Promise<Built> {
  const folder = mkdtempSync(join(tmpdir(), 'suture-version-'))
  // The driver is no part of the bundle: it is found from there.
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'))
  const done = new Set<Change>()
  await build({
    entryPoints: [fileURLToPath(new URL('./session-worker.ts', import.meta.url))],
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [changed(changes, done)],
  })
  if (done.size < changes.length) throw new Error('a changed file is not part of the worker')
  return {
    start: () => new Worker(join(folder, 'worker.mjs')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function changed(changes: readonly Change[], done: Set<Change>): Plugin {
  return {
    name: 'later-version',
    setup(building) {
      building.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const own = changes.filter(([file]) => path.endsWith(file))
        let contents = readFileSync(path, 'utf8')
        for (const change of own) {
          if (!contents.includes(change[1])) throw new Error(`${path} has no ${change[1]}`)
          contents = contents.replace(change[1], () => change[2])
          done.add(change)
        }
        return own.length === 0 ? undefined : { contents, loader: 'ts' }
      })
    },
  }
}

export interface Outcome {
  readonly ok?: unknown
  readonly error?: string
  readonly message?: string
}

export class Worker {
  private readonly child: ChildProcess
  private readonly lines: AsyncIterator<string>

  constructor(script: string) {
    this.child = spawn(process.execPath, [script], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    this.lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]()
  }

  async ask(...command: readonly unknown[]): Promise<Outcome> {
    this.child.stdin!.write(`${JSON.stringify(command)}\n`)
    const { value, done } = await this.lines.next()
    if (done) throw new Error('the worker ended')
    return JSON.parse(value) as Outcome
  }

  end(): Promise<void> {
    return new Promise((done) => {
      this.child.once('exit', () => done())
      // Idle connections would keep it for seconds.
      this.child.kill()
    })
  }
}
