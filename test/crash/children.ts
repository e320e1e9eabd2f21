/**
 * Starts the processes that are killed, and reads what they printed before.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Line, Task } from './child.ts'
import { rootFolder } from './matrix-row.ts'

let built: Promise<string> | undefined

/** Node 20 does not run TypeScript: the entry points are bundled once for a run; `unbundle` at its end. */
export function bundled(entry = 'child'): Promise<string> {
  built ??= bundle()
  return built.then((folder) => join(folder, `${entry}.mjs`))
}

async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'suture-child-'))
  const root = rootFolder()
  await build({
    entryPoints: ['child', 'writer'].map((name) => join(root, `test/crash/${name}.ts`)),
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
  })
  return folder
}

export async function unbundle(): Promise<void> {
  if (built) rmSync(await built, { recursive: true, force: true })
  built = undefined
}

export interface Ran {
  readonly lines: readonly Line[]
  readonly signal: string | null
  readonly code: number | null
  readonly errors: string
}

export interface RunOptions {
  /** Called with each line; may end the process. */
  readonly onLine?: (line: Line, child: ChildProcess) => void
  /** A command in front, such as strace with its options. */
  readonly under?: readonly string[]
}

export async function runChild(task: Task, options: RunOptions = {}): Promise<Ran> {
  const script = await bundled()
  const [command, ...args] = [...(options.under ?? []), process.execPath, script, JSON.stringify(task)]
  const child = spawn(command!, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SUTURE_ROOT: rootFolder(), NODE_OPTIONS: '' },
  })
  return collected(child, options)
}

function collected(child: ChildProcess, { onLine }: RunOptions): Promise<Ran> {
  const lines: Line[] = []
  let rest = ''
  let errors = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop()!
    for (const part of parts) {
      const line = JSON.parse(part) as Line
      lines.push(line)
      onLine?.(line, child)
    }
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code, signal) => done({ lines, signal, code, errors }))
  })
}

/** Why strace cannot be used here; nothing when it can. */
export function withoutStrace(): string | undefined {
  const { error, status, stderr } = spawnSync('strace', [
    '-f',
    '--seccomp-bpf',
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    'trace=fsync',
    'true',
  ])
  if (error) return 'strace is not installed'
  return status === 0 ? undefined : `strace may not trace here: ${String(stderr).trim().slice(0, 120)}`
}

/** Runs this many at a time over a list, in order of start. */
export async function lanes<T>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const index = next++
      await work(items[index]!, index)
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
}
